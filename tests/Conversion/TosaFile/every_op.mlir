// Every op of TOSA 1.0, with attributes that are not the defaults of the schema.
module {
  tosa.variable @count = dense<[1, 2]> : tensor<2xi32>

  func.func @main(%x: tensor<1x4x4x2xf32>, %a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %i: tensor<2x3xi32>,
                  %j: tensor<2x3xi32>, %p: tensor<2x3xi1>, %q: tensor<2x3xi1>, %bytes: tensor<1x4x4x2xi8>,
                  %three: tensor<1x2x3xf32>, %rows: tensor<1x2xi32>, %go: tensor<i1>, %volume: tensor<1x2x4x4x2xf32>, %wave: tensor<1x2x4xf32>)
      -> (tensor<2xi32>, tensor<2x3xf32>, tensor<2x3xf32>) {
    // Tensors
    %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
    %no_byte = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %bias = "tosa.const"() <{values = dense<[0.5, -1.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
    %w = "tosa.const"() <{values = dense<0.25> : tensor<2x3x3x2xf32>}> : () -> tensor<2x3x3x2xf32>
    %w3 = "tosa.const"() <{values = dense<0.25> : tensor<2x1x3x3x2xf32>}> : () -> tensor<2x1x3x3x2xf32>
    %wd = "tosa.const"() <{values = dense<0.5> : tensor<3x3x2x1xf32>}> : () -> tensor<3x3x2x1xf32>
    %1 = tosa.argmax %a {axis = 1 : i32, nan_mode = IGNORE} : (tensor<2x3xf32>) -> tensor<2xi32>
    %2 = tosa.avg_pool2d %x, %zero, %zero {acc_type = f32, kernel = array<i64: 2, 3>, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 2, 1>} : (tensor<1x4x4x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x4x2xf32>
    %3 = tosa.conv2d %x, %w, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, local_bound = true, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<2x3x3x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
    %4 = tosa.conv3d %volume, %w3, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 1, 1, 1, 1>, stride = array<i64: 1, 1, 1>} : (tensor<1x2x4x4x2xf32>, tensor<2x1x3x3x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x4x4x2xf32>
    %5 = tosa.depthwise_conv2d %x, %wd, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<3x3x2x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
    %6:2 = tosa.fft2d %wave, %wave {inverse = true, local_bound = true} : (tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xf32>)
    %s7s = tosa.const_shape {values = dense<[1, 3, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %s7r = tosa.reshape %a, %s7s : (tensor<2x3xf32>, !tosa.shape<3>) -> tensor<1x3x2xf32>
    %7 = tosa.matmul %three, %s7r, %zero, %zero : (tensor<1x2x3xf32>, tensor<1x3x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2xf32>
    %8 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, nan_mode = IGNORE, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>
    %9:2 = tosa.rfft2d %wave {local_bound = true} : (tensor<1x2x4xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>)
    %10 = tosa.transpose_conv2d %x, %w, %bias, %zero, %zero {acc_type = f32, out_pad = array<i64: 0, 1, 2, 3>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xf32>, tensor<2x3x3x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x14x2xf32>
    // Activations and numbers
    %11 = tosa.clamp %a {max_val = 2.5 : f32, min_val = -1.0 : f32, nan_mode = IGNORE} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %12 = tosa.clamp %bytes {max_val = 100 : i8, min_val = -3 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
    %13 = tosa.erf %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %14 = tosa.sigmoid %13 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %15 = tosa.tanh %14 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %16 = tosa.add %15, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %17 = tosa.arithmetic_right_shift %i, %j {round = true} : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %18 = tosa.bitwise_and %17, %j : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %19 = tosa.bitwise_or %18, %j : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %20 = tosa.bitwise_xor %19, %j : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %21 = tosa.intdiv %20, %j : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %22 = tosa.logical_and %p, %q : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %23 = tosa.logical_left_shift %21, %j : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %24 = tosa.logical_right_shift %23, %j : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %25 = tosa.logical_or %22, %q : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %26 = tosa.logical_xor %25, %q : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %27 = tosa.maximum %16, %b {nan_mode = IGNORE} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %28 = tosa.minimum %27, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %29 = tosa.mul %28, %b, %no_byte : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<1xi8>) -> tensor<2x3xf32>
    %30 = tosa.pow %29, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %31 = tosa.sub %30, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %entries = "tosa.const"() <{values = dense<7> : tensor<256xi8>}> : () -> tensor<256xi8>
    %32 = tosa.table %bytes, %entries : (tensor<1x4x4x2xi8>, tensor<256xi8>) -> tensor<1x4x4x2xi8>
    %33 = tosa.abs %31 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %34 = tosa.bitwise_not %24 : (tensor<2x3xi32>) -> tensor<2x3xi32>
    %35 = tosa.ceil %33 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %36 = tosa.clz %34 : (tensor<2x3xi32>) -> tensor<2x3xi32>
    %37 = tosa.cos %35 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %38 = tosa.exp %37 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %39 = tosa.floor %38 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %40 = tosa.log %39 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %41 = tosa.logical_not %26 : (tensor<2x3xi1>) -> tensor<2x3xi1>
    %42 = tosa.negate %40, %zero, %zero : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32>
    %43 = tosa.reciprocal %42 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %44 = tosa.rsqrt %43 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %45 = tosa.sin %44 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %46 = tosa.select %41, %45, %b : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %47 = tosa.equal %46, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %48 = tosa.greater %46, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %49 = tosa.greater_equal %46, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %50 = tosa.reduce_all %47 {axis = 1 : i32} : (tensor<2x3xi1>) -> tensor<2x1xi1>
    %51 = tosa.reduce_any %48 {axis = 1 : i32} : (tensor<2x3xi1>) -> tensor<2x1xi1>
    %52 = tosa.reduce_max %a {axis = 1 : i32, nan_mode = IGNORE} : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %53 = tosa.reduce_min %a {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %54 = tosa.reduce_product %a {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %55 = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
    // Layouts and types
    %56 = tosa.concat %52, %53, %54, %55 {axis = 1 : i32} : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
    %s57s = tosa.const_shape {values = dense<[0, 1, 2, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %57 = tosa.pad %56, %s57s, %zero : (tensor<2x4xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x6xf32>
    %58 = tosa.reverse %57 {axis = 1 : i32} : (tensor<3x6xf32>) -> tensor<3x6xf32>
    %s59s = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %s59t = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %59 = tosa.slice %58, %s59s, %s59t : (tensor<3x6xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x3xf32>
    %60 = tosa.tile %59, %s59s : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<2x6xf32>
    %61 = tosa.transpose %60 {perms = array<i32: 1, 0>} : (tensor<2x6xf32>) -> tensor<6x2xf32>
    %62 = tosa.gather %three, %rows : (tensor<1x2x3xf32>, tensor<1x2xi32>) -> tensor<1x2x3xf32>
    %63 = tosa.scatter %three, %rows, %62 : (tensor<1x2x3xf32>, tensor<1x2xi32>, tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    %s64a = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %s64b = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %s64c = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %64 = tosa.resize %x, %s64a, %s64b, %s64c {mode = BILINEAR} : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x8x2xf32>
    %s64n = tosa.resize %x, %s64a, %s64b, %s64c {mode = NEAREST_NEIGHBOR} : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x8x2xf32>
    %65 = tosa.cast %a : (tensor<2x3xf32>) -> tensor<2x3xbf16>
    %multiplier = "tosa.const"() <{values = dense<[1073741824, 1342177280]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %shift = "tosa.const"() <{values = dense<[30, 31]> : tensor<2xi8>}> : () -> tensor<2xi8>
    %66 = tosa.rescale %bytes, %multiplier, %shift, %no_byte, %no_byte {input_unsigned = true, output_unsigned = true, per_channel = true, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<1x4x4x2xi8>, tensor<2xi32>, tensor<2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
    %67 = tosa.identity %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %68 = tosa.custom %67 {domain_name = "org", implementation_attrs = "{\22k\22: 1}", operator_name = "op"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    // Constants of each type
    %69 = "tosa.const"() <{values = dense<[true, false, true, true, false, false, false, true, true]> : tensor<9xi1>}> : () -> tensor<9xi1>
    %70 = "tosa.const"() <{values = dense<[-7, 7, 1, -1, 3]> : tensor<5xi4>}> : () -> tensor<5xi4>
    %71 = "tosa.const"() <{values = dense<[1, -2, 30000]> : tensor<3xi16>}> : () -> tensor<3xi16>
    %72 = "tosa.const"() <{values = dense<[1, -2, 140737488355327]> : tensor<3xi48>}> : () -> tensor<3xi48>
    %73 = "tosa.const"() <{values = dense<[1.0, -2.5]> : tensor<2xf16>}> : () -> tensor<2xf16>
    %74 = "tosa.const"() <{values = dense<[1.0, -2.5]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %75 = "tosa.const"() <{values = dense<[1.0, -2.5]> : tensor<2xf8E4M3FN>}> : () -> tensor<2xf8E4M3FN>
    %76 = "tosa.const"() <{values = dense<[1.0, -2.5]> : tensor<2xf8E5M2>}> : () -> tensor<2xf8E5M2>
    %77 = "tosa.const"() <{values = dense<true> : tensor<9xi1>}> : () -> tensor<9xi1>
    %78 = "tosa.const"() <{values = dense<-3> : tensor<5xi4>}> : () -> tensor<5xi4>
    %79 = "tosa.const"() <{values = dense<5> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
    // Variables and control flow
    %80 = tosa.variable_read @count : tensor<2xi32>
    %81 = tosa.add %80, %80 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    tosa.variable_write @count, %81 : tensor<2xi32>
    %82 = tosa.cond_if %go (%l = %a, %r = %b) : tensor<i1> (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> {
    ^bb0(%l: tensor<2x3xf32>, %r: tensor<2x3xf32>):
      %t = tosa.add %l, %r : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      tosa.yield %t : tensor<2x3xf32>
    } else {
    ^bb0(%l: tensor<2x3xf32>, %r: tensor<2x3xf32>):
      tosa.yield %r : tensor<2x3xf32>
    }
    %83:2 = tosa.while_loop (%n = %81, %s = %82) : (tensor<2xi32>, tensor<2x3xf32>) -> (tensor<2xi32>, tensor<2x3xf32>) {
      %four = "tosa.const"() <{values = dense<4> : tensor<2xi32>}> : () -> tensor<2xi32>
      %less = tosa.greater %four, %n : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
      %all = tosa.reduce_all %less {axis = 0 : i32} : (tensor<2xi1>) -> tensor<1xi1>
      %none = tosa.const_shape {values = dense<> : tensor<0xindex>} : () -> !tosa.shape<0>
      %more = tosa.reshape %all, %none : (tensor<1xi1>, !tosa.shape<0>) -> tensor<i1>
      tosa.yield %more : tensor<i1>
    } do {
    ^bb0(%n: tensor<2xi32>, %s: tensor<2x3xf32>):
      %one = "tosa.const"() <{values = dense<1> : tensor<2xi32>}> : () -> tensor<2xi32>
      %next = tosa.add %n, %one : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      %true = "tosa.const"() <{values = dense<true> : tensor<i1>}> : () -> tensor<i1>
      %inner = tosa.cond_if %true (%l = %s) : tensor<i1> (tensor<2x3xf32>) -> tensor<2x3xf32> {
      ^bb0(%l: tensor<2x3xf32>):
        %t = tosa.exp %l : (tensor<2x3xf32>) -> tensor<2x3xf32>
        tosa.yield %t : tensor<2x3xf32>
      } else {
      ^bb0(%l: tensor<2x3xf32>):
        %t = tosa.abs %l : (tensor<2x3xf32>) -> tensor<2x3xf32>
        tosa.yield %t : tensor<2x3xf32>
      }
      tosa.yield %next, %inner : tensor<2xi32>, tensor<2x3xf32>
    }
    return %83#0, %83#1, %46 : tensor<2xi32>, tensor<2x3xf32>, tensor<2x3xf32>
  }
}
