"""Ctrl-C ends a compilation or a run, and the interpreter can end while threads still compile or run."""

import signal
import subprocess
import sys
import textwrap
import time

import pytest

LOOP = '''
import numpy as np, onnx, isthmus, signal, sys, threading, time

FOR_EVER = onnx.parser.parse_model("""
<ir_version: 10, opset_import: ["" : 20]>
g (float[n] x) => (float[n] y)
<int64 steps = {9223372036854775807}, bool more = {1}> {
  y = Loop (steps, more, x) <body = b (int64 i, bool c, float[n] s) => (bool d, float[n] t) {
    d = Identity(c)
    t = Cos(s)
  }>
}
""")
X = np.zeros(1000, np.float32)

def compiled(proto, **options):
    return isthmus.import_onnx(proto.SerializeToString()).lower("linalg", **options)
'''


def python(code, **keywords):
    return subprocess.Popen(
        [sys.executable, "-c", LOOP + textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **keywords,
    )


def outcome(process, timeout):
    """The exit status and output of a process, which must end by itself."""
    try:
        out, err = process.communicate(timeout=timeout)
    finally:
        process.kill()
    return process.returncode, out, err


def interrupted(code):
    """Runs `code`, which prints a line and then never ends, and interrupts it; returns its status and output."""
    process = python(code)
    assert process.stdout.readline() == "running\n", process.communicate()[1]
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    return outcome(process, timeout=20)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_run_is_interrupted(threads):
    code, out, err = interrupted(
        f"""
        module = compiled(FOR_EVER)
        try:
            print("running", flush=True)
            module.run(X, threads={threads})
        except KeyboardInterrupt:
            print("interrupted")
        # The module is as good as before.
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        signal.signal(signal.SIGALRM, lambda *_: 1 / 0)
        try:
            module.run(X, threads={threads})
        except ZeroDivisionError:
            print("its own handler's error")
        """
    )
    assert (code, out) == (0, "interrupted\nits own handler's error\n"), err


def test_compiling_is_interrupted():
    code, out, err = interrupted(
        """
        names = ["x", *(f"t{i}" for i in range(1, 6000)), "y"]
        nodes = [
            onnx.helper.make_node("Softmax", [a], [b], axis=i % 2) for i, (a, b) in enumerate(zip(names, names[1:]))
        ]
        values = [onnx.helper.make_tensor_value_info(n, 1, ("n", "m")) for n in "xy"]
        proto = onnx.helper.make_model(
            onnx.helper.make_graph(nodes, "g", values[:1], values[1:]),
            opset_imports=[onnx.helper.make_opsetid("", 20)],
            ir_version=10,
        )
        module = compiled(proto)
        print("running", flush=True)
        start = time.time()
        try:
            module.run(np.zeros((3, 4), np.float32))
            print("ran")
        except KeyboardInterrupt:
            print("interrupted")
        """
    )
    assert (code, out) == (0, "interrupted\n"), err


def test_a_kernel_is_interrupted():
    code, out, err = interrupted(
        """
        proto = onnx.parser.parse_model('''
            <ir_version: 10, opset_import: ["" : 20, "acme" : 1]>
            g (float[4] x) => (float[4] y) <float[4] t> { t = acme.Wait(x) y = Abs(t) }
        ''')
        isthmus.register_kernel("acme.Wait", lambda x: time.sleep(60))
        module = compiled(proto, custom_ops=["acme.Wait"])
        try:
            print("running", flush=True)
            module.run(np.zeros(4, np.float32))
        except KeyboardInterrupt:
            print("interrupted")
        """
    )
    assert (code, out) == (0, "interrupted\n"), err


@pytest.mark.parametrize("what", ["module.run(X)", "compiled(FOR_EVER)"])
def test_a_daemon_thread_ends_with_the_process(what):
    process = python(
        f"""
        module = compiled(FOR_EVER)
        def work():
            while True:
                {what}
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.5)
        print("done")
        """
    )
    assert outcome(process, timeout=30) == (0, "done\n", "")


def test_a_daemon_thread_in_a_kernel_ends_with_the_process():
    process = python(
        """
        proto = onnx.parser.parse_model('''
            <ir_version: 10, opset_import: ["" : 20, "acme" : 1]>
            g (float[4] x) => (float[4] y) <float[4] t> { t = acme.Wait(x) y = Abs(t) }
        ''')
        isthmus.register_kernel("acme.Wait", lambda x: (time.sleep(0.001), x)[1])
        module = compiled(proto, custom_ops=["acme.Wait"])
        def work():
            while True:
                module.run(np.zeros(4, np.float32))
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.5)
        print("done")
        """
    )
    assert outcome(process, timeout=30) == (0, "done\n", "")
