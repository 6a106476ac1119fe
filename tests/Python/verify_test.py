"""What `isthmus verify` calls an error."""

import numpy as np
import pytest

from isthmus.verify import relative_error

INF, NAN = np.inf, np.nan


@pytest.mark.parametrize(
    "got, expected, error",
    [
        ([1.0, 2.0], [1.0, 2.0], 0),
        ([1.0, 2.1], [1.0, 2.0], 0.05),
        ([0.0, 1e-9], [0.0, 0.0], 1e-9),
        ([NAN, INF, 1.0], [NAN, INF, 1.0], 0),
        ([NAN, 1.0], [1.0, 1.0], INF),
        ([INF, 1.0], [-INF, 1.0], INF),
        ([1.0], [1.0, 1.0], INF),
        ([], [], 0),
    ],
)
def test_relative_error(got, expected, error):
    assert relative_error(np.array(got), np.array(expected)) == pytest.approx(error)


def test_other_dtypes_are_not_comparable():
    assert relative_error(np.zeros(2, np.int32), np.zeros(2, np.int64)) == INF
    assert relative_error(np.zeros(2, np.float32), np.zeros(2, np.float64)) == INF
