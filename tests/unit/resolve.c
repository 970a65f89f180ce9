// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// One line per call: the resulting shapes, or the status with the position and the two numbers of its
// fault. Rows with an id such as B7 are failures of other systems. Every status that resolve can return
// must occur.
#include "Inputs/cases.h"

static const Case cases[] = {
    // ---- reshape: what is refused, in the order of statuses.def ----
    {"onnx.reshape i4[6] shape=[6] opset=20", "bad_type in0 21 21"},
    {"onnx.reshape i32[6] shape=[6] opset=4", "bad_type in0 3 5"},
    {"onnx.reshape i32[6] shape=[6] opset=5", "[6]"},
    {"onnx.reshape f32[6] shape=i32:1", "bad_type arg0 3 0"},
    {"reshape f32[6] shape=i32:1", "bad_type arg0 3 0"},
    {"openvino.reshape f32[6] shape=bool:1 special_zero=1", "bad_type arg0 0 0"},
    {"openvino.reshape f32[6] shape=f32:1 special_zero=1", "bad_type arg0 11 0"},
    {"openvino.reshape f32[6] shape=u4:1 special_zero=1", "unknown_size arg0 0 0"},
    {"openvino.reshape u2[6] shape=u8:1 special_zero=1", "unknown_size arg0 0 0"},
    {"onednn.static_reshape f64[6] shape=[6] special_zero=0", "bad_type in0 12 0"},
    {"onednn.dynamic_reshape f32[6] shape=i16:1 special_zero=0", "bad_type arg0 2 0"},
    {"onednn.dynamic_reshape bf16[6] shape=i32:1 special_zero=0", "unknown_size arg0 0 0"},
    {"onednn.dynamic_reshape f16[6] shape=i64:1 special_zero=0", "unknown_size arg0 0 0"},
    {"paddle.reshape i8[6] shape=[6]", "bad_type in0 1 0"},
    {"paddle.reshape u8[6] shape=[6]", "bad_type in0 5 0"},
    {"paddle.reshape bf16[6] shape=i64:1", "bad_type arg0 4 0"},
    {"paddle.reshape f32[6] shape=[6] actual_shape=i64:1", "bad_type arg1 4 0"},
    {"reshape f32[6] shape=[6] allowzero=2", "bad_attr arg1 2 1"},
    {"reshape f32[6] shape=[6] allowzero=-1", "bad_attr arg1 -1 1"},
    {"onnx.reshape f32[6] shape=[6] opset=0", "bad_attr arg2 0 28"},
    {"onnx.reshape f32[6] shape=[6] opset=29", "bad_attr arg2 29 28"},
    {"onnx.reshape f32[6] shape=[6] opset=" MIN, "bad_attr arg2 " MIN " 28"},
    {"onnx.reshape f32[6] shape=[6] opset=13 allowzero=0", "bad_attr arg1 13 14"},
    {"onnx.reshape f32[6] shape=[6] opset=14 allowzero=0", "[6]"},
    {"onnx.reshape f32[6] shape=[6] opset=5 consumed_inputs=[0]", "bad_attr arg3 5 5"},
    {"onnx.reshape f32[6] shape=[6] opset=4 consumed_inputs=[0]", "[6]"},
    {"onnx.reshape f32[6] shape=[6] opset=1 consumed_inputs=\"x\"", "bad_arg arg3 0 0"},
    {"onnx.reshape f32[6] shape=[6] opset=1 consumed_inputs=[[0]]", "bad_arg arg3 0 0"},
    {"openvino.reshape f32[6] shape=[6]", "bad_attr arg1 0 0"},
    {"openvino.reshape f32[6] shape=[6] special_zero=2", "bad_attr arg1 2 1"},
    {"onednn.static_reshape f32[6] shape=[6]", "bad_attr arg1 0 0"},
    {"onednn.dynamic_reshape f32[6] shape=[6]", "bad_attr arg1 0 0"},
    {"paddle.reshape f32[6] shape=[6] inplace=7", "bad_attr arg3 7 1"},
    {"reshape f32[6] shape=\"6\"", "bad_arg arg0 0 0"},
    {"reshape f32[6] shape=[6] allowzero=\"1\"", "bad_arg arg1 0 0"},
    {"reshape f32[6] shape=[6] allowzero=[1]", "bad_arg arg1 0 0"},
    {"onnx.reshape f32[6] shape=[6] opset=B", "bad_arg arg2 0 0"},
    {"onnx.reshape f32[6] shape=i64:1 opset=4", "bad_arg arg0 0 0"},
    {"onnx.reshape f32[6] shape=i64:1 opset=5", "unknown_size arg0 0 0"},
    {"onednn.static_reshape f32[6] shape=i64:1 special_zero=1", "bad_arg arg0 0 0"},
    {"paddle.reshape f32[6] shape=[6] actual_shape=6", "bad_arg arg1 0 0"},
    {"paddle.reshape f32[6] shape=[6] actual_shape=\"x\"", "bad_arg arg1 0 0"},
    {"openvino.reshape f32[6] shape=i64:-1 special_zero=0", "unknown_size arg0 0 0"},
    {"paddle.reshape f32[6] shape=[6] act=1", "bad_arg arg2 0 0"},
    {"paddle.reshape f32[6] shape=[6] inplace=\"yes\"", "bad_arg arg3 0 0"},
    {"paddle.reshape f32[6] shape=[6] name=1", "bad_arg arg4 0 0"},
    {"paddle.reshape f32[6] shape=[2,-1] act=\"relu\" inplace=1 name=\"n\"", "[2,3]"},
    {"reshape f32[6]", "missing_shape arg0 0 0"},
    {"paddle.reshape f32[6] actual_shape=i32:1", "missing_shape arg0 0 0"},
    {"paddle.reshape f32[1] shape=[]", "empty_shape arg0 0 0"},
    {"onednn.static_reshape f32[1,1] shape=[] special_zero=0", "[]"},
    {"reshape f32[6] shape=6", "bad_shape_rank arg0 0 1"},
    {"onnx.reshape f32[6] shape=6", "bad_shape_rank arg0 0 1"},
    {"reshape f32[6] shape=[[2,3]]", "bad_shape_rank arg0 2 1"},
    {"reshape f32[6] shape=i64:2", "bad_shape_rank arg0 2 1"},
    {"reshape f32[6] shape=i64:0", "bad_shape_rank arg0 0 1"},
    {"openvino.reshape f32[1] shape=i64:0 special_zero=0", "bad_shape_rank arg0 0 1"},
    {"openvino.reshape f32[1,1] output_shape=1 special_zero=0", "bad_shape_rank arg0 0 1"},
    {"openvino.reshape f32[1,1] output_shape=[] special_zero=0", "[]"},
    {"openvino.reshape f32[1] shape=B special_zero=0", "bad_shape_rank arg0 0 1"},
    {"onednn.static_reshape f32[1] shape=[" ONES_8 ",1,1,1,1] special_zero=0",
     "[" ONES_8 ",1,1,1,1]"},
    {"onednn.static_reshape f32[1] shape=[" ONES_8 ",1,1,1,1,1] special_zero=0",
     "rank_limit arg0 13 12"},
    {"onednn.static_reshape f32[" ONES_8 ",1,1,1,1,1] shape=[1] special_zero=0",
     "rank_limit in0 13 12"},
    {"paddle.reshape f32[1] shape=[" ONES_8 ",1]", "[" ONES_8 ",1]"},
    {"paddle.reshape f32[" ONES_8 ",1] shape=[1]", "[1]"},
    {"paddle.reshape f32[1] shape=[" ONES_8 ",1,1]", "rank_limit arg0 10 9"},
    {"reshape f32[1] shape=[" ONES_8 "," ONES_8 "]", "[" ONES_8 "," ONES_8 "]"},
    {"reshape f32[1] shape=[" ONES_8 "," ONES_8 ",1]", "rank_limit arg0 17 16"},
    {"reshape f32[2,3] shape=[0,-2]", "bad_dim arg0[1] -2 -1"},
    {"reshape f32[2,3] shape=[" MIN ",6]", "bad_dim arg0[0] " MIN " -1"},
    {"reshape f32[2,3] shape=[-1,-1,-2]", "multiple_infer arg0[1] 0 1"},
    {"reshape f32[2,3] shape=[-1,-2,-1]", "bad_dim arg0[1] -2 -1"},
    {"reshape f32[2,3] shape=[6,1,0,-5]", "zero_out_of_range arg0[2] 2 2"},
    {"reshape f32 shape=[0]", "zero_out_of_range arg0[0] 0 0"},
    {"reshape f32[2,3] shape=[0,0,-1] allowzero=1", "zero_with_infer arg0[0] 0 2"},
    {"reshape f32[2,3] shape=[-1,5,0] allowzero=1", "zero_with_infer arg0[2] 2 0"},
    {"onednn.static_reshape f32[2,3] shape=[0,-1] special_zero=0", "zero_with_infer arg0[0] 0 1"},
    {"reshape f32[2,3] shape=[4294967296,2147483648]", "overflow arg0[1] 2147483648 4294967296"},
    {"reshape f32[4294967296,4294967296] shape=[-1]", "overflow in0[1] 4294967296 0"},
    {"openvino.reshape f32[5,0] shape=[0,-1] special_zero=0", "ambiguous_infer arg0[1] 0 0"},
    {"openvino.reshape f32[5,0] shape=[0,-1] special_zero=1", "[5,0]"},
    {"reshape f32[0,3] shape=[0,-1]", "ambiguous_infer arg0[1] 0 0"},
    {"reshape f32[2,3] shape=[4,-1]", "not_divisible arg0[1] 6 4"},
    {"openvino.reshape f32[2,15] shape=[0,-1,7] special_zero=1", "not_divisible arg0[1] 15 7"},
    {"reshape f32[2,3] shape=[7]", "volume_mismatch arg0 6 7"},
    // A run-time target of Paddle takes precedence over the list, which still has to resolve.
    {"paddle.reshape f32[2,4,6] shape=[6,8] actual_shape=[0,-1]", "[2,24]"},
    {"paddle.reshape f32[2,4,6] shape=[6,9] actual_shape=[0,-1]", "volume_mismatch arg0 48 54"},
    {"paddle.reshape f32[2,4,6] shape=[6,8] actual_shape=[5,-1]", "not_divisible arg1[1] 48 5"},
    {"paddle.reshape f32[2,4,6] shape=[6,8] actual_shape=i32:1", "unknown_size arg1 0 0"},
    {"paddle.reshape f32[2,4,6] shape=[6,8] actual_shape=i32:2", "bad_shape_rank arg1 2 1"},
    {"paddle.reshape f32[2,4,6] shape=i32:1 actual_shape=i32:1", "unknown_size arg0 0 0"},
    {"reshape f32[*] shape=[2,-1]", "unknown_size in0 0 0"},
    {"reshape f32[*] shape=[2,0,-1,0,-2]", "bad_dim arg0[4] -2 -1"},

    // ---- reshape: known bugs, class B ----
    {"reshape f32[2,2,3,2] shape=[-1,0,0]", "[4,2,3]"},                           // B1
    {"reshape f32[2,3,4] shape=[1,-1,0]", "[1,6,4]"},                             // B2
    {"reshape f32[2,3,4] shape=[0,1,-1]", "[2,1,12]"},                            // B2
    {"reshape f32[2,3,4] shape=[2,0,1,-1]", "[2,3,1,4]"},                         // B3
    {"reshape f32[0,6,2] shape=[3,2,-1]", "[3,2,0]"},                             // B4
    {"reshape f32[3,2,0] shape=[0,0,3] allowzero=1", "[0,0,3]"},                  // B4
    {"reshape f32[1,32,5,5] shape=[-1,2,4,4,5,5] allowzero=1", "[1,2,4,4,5,5]"},  // B5
    {"reshape f32[0,4] shape=[0,-1] allowzero=1", "zero_with_infer arg0[0] 0 1"}, // B6
    {"reshape f32[0,10] shape=[0,1,-1]", "ambiguous_infer arg0[2] 0 0"},          // B7
    {"openvino.reshape f32[0,10] shape=[0,1,-1] special_zero=1", "[0,1,10]"},     // B7
    {"onednn.static_reshape f32[0,10] shape=[0,1,-1] special_zero=1",
     "ambiguous_infer arg0[2] 0 0"},
    {"paddle.reshape f32[0,10] shape=[0,1,-1]", "ambiguous_infer arg0[2] 0 0"}, // B7
    {"reshape f32[2,0,4] shape=[0,4] allowzero=1", "[0,4]"},                    // B8
    {"reshape f32[1,1,0] shape=[6,0] allowzero=1", "[6,0]"},                    // B9
    {"reshape f32[0] shape=[-1,3]", "[0,3]"},                                   // B9
    {"reshape f32[3] shape=[0] allowzero=1", "volume_mismatch arg0 3 0"},       // B9
    {"reshape f32[4] shape=[-1,-1]", "multiple_infer arg0[1] 0 1"},             // B10
    {"reshape f32[4] shape=[-2,3]", "bad_dim arg0[0] -2 -1"},                   // B10
    {"reshape f32[4] shape=[4,0]", "zero_out_of_range arg0[1] 1 1"},            // B10
    {"reshape f32[1,1,1] shape=[]", "[]"},                                      // B15
    {"reshape f32 shape=[1,1,1]", "[1,1,1]"},                                   // B15
    {"reshape f32[1,4] shape=[[1,4]]", "bad_shape_rank arg0 2 1"},              // B15
    {"reshape f32[1,64,1] shape=[-1,384]", "not_divisible arg0[0] 64 384"},     // B16
    {"reshape f32[6,64,1] shape=[-1,384]", "[1,384]"},                          // B16
    {"reshape f32[7,64,1] shape=[-1,384]", "not_divisible arg0[0] 448 384"},    // B16
    // class C
    {"reshape f32[1] shape=[21943,45817,30516,61760,38987]",
     "overflow arg0[4] 38987 1894774562965896960"}, // C1
    {"reshape f32[5] shape=[0,1879048192,100000000,1610612736,-1] allowzero=1",
     "zero_with_infer arg0[0] 0 4"}, // C2
    {"reshape f32[5] shape=[0,1879048192,100000000,1610612736,-1]",
     "overflow arg0[3] 1610612736 939524096000000000"},
    {"reshape f32[24] shape=[5,3689348814741910328]",
     "overflow arg0[1] 3689348814741910328 5"}, // C3
    {"reshape f32[24] shape=[7,5270498306774157608]",
     "overflow arg0[1] 5270498306774157608 7"},                                    // C3
    {"reshape f32[24] shape=[5,858993464]", "volume_mismatch arg0 24 4294967320"}, // C4
    {"reshape i8[0] shape=[4611686018427387904,4,0] allowzero=1",
     "overflow arg0[1] 4 4611686018427387904"}, // C7
    {"reshape i8[0] shape=[0,4611686018427387904,4] allowzero=1",
     "overflow arg0[2] 4 4611686018427387904"},                                // C7
    {"reshape i8[" MAX ",2,1,1] shape=[-1]", "overflow in0[1] 2 0"},           // C7
    {"reshape i8[4294967300] shape=[4]", "volume_mismatch arg0 4294967300 4"}, // C11
    {"flatten i8[" MAX ",2,1,1]", "overflow in0 0 0"},                         // C7

    // ---- reshape with symbols ----
    {"reshape f16[B,S,768] shape=[0,0,12,64]", "[B,S,12,64]"},
    {"reshape f16[B,S,768] shape=[B*S,768]", "[B*S,768]"},
    {"reshape f16[B,S,768] shape=[-1,768]", "[B*S,768]"},
    {"reshape f16[B,S,768] shape=[B,-1]", "[B,768*S]"},
    {"reshape f16[B,S,768] shape=[0,-1,S]", "[B,768,S]"},
    {"reshape f16[2*P+2,3] shape=[-1,2]", "[3*P+3,2]"},
    {"reshape f16[B,S] shape=[S,B]", "[S,B]"},
    {"reshape f16[B,S] shape=[B]", "unknown_size arg0 ? ?"},
    {"reshape f16[B,S] shape=[B,S,2]", "volume_mismatch arg0 ? ?"},
    {"reshape f16[B,S] shape=[0] allowzero=1", "volume_mismatch arg0 ? 0"},
    {"reshape f16[B] shape=[4]", "unknown_size arg0 ? 4"},
    {"reshape f16[B,6] shape=[4,-1]", "unknown_size arg0[1] ? 4"},
    {"reshape f16[B,0] shape=[S,-1]", "[S,0]"},
    {"reshape f16[B,S] shape=[-1,-1]", "multiple_infer arg0[1] 0 1"},
    {"reshape f16[B,S] shape=[-1*B,S]", "unknown_size in0 0 0"}, // B is 1: it is inferred
    {"reshape f16[B,S] shape=[-1*B-2,S]", "bad_dim arg0[0] -1 -1"},
    {"empty reshape f32[B,6] shape=[S,6]", "unknown_size in0 0 0"}, // S is 0: it copies B
    {"reshape f32[6] shape=[=-1,6]", "bad_dim arg0[0] -1 0"},
    {"reshape f32[6] shape=[=0,6]", "volume_mismatch arg0 6 0"},
    {"openvino.reshape f16[B,S,T,8] shape=[0,-1,4] special_zero=1", "[B,2*S*T,4]"},
    {"openvino.reshape f16[B,S,6] shape=[0,-1,4] special_zero=1", "unknown_size arg0[1] ? 4"},
    {"openvino.reshape f16[B,S,8] shape=[0,-1,4] special_zero=1", "[B,2*S,4]"},

    // ---- flatten (B11), squeeze (B12), unsqueeze (B13), transpose (B14), flip ----
    {"flatten f32[2,3,4]", "[2,12]"},
    {"flatten f32[2,3,4] axis=0", "[1,24]"},
    {"flatten f32[2,3,4] axis=3", "[24,1]"},
    {"flatten f32[2,3,4] axis=-1", "[6,4]"},
    {"flatten f32[2,3,4] axis=-3", "[1,24]"},
    {"flatten f32[2,3,4] axis=4", "bad_axis arg0 4 3"},
    {"flatten f32[2,3,4] axis=-4", "bad_axis arg0 -4 3"},
    {"flatten f32[5]", "[5,1]"},
    {"flatten f32[5] axis=0", "[1,5]"},
    {"flatten f32 axis=0", "[1,1]"},
    {"flatten f32", "bad_axis arg0 1 0"},
    {"flatten f32[2,0,4] axis=1", "[2,0]"},
    {"flatten f32[2,0,4] axis=3", "[0,1]"},
    {"flatten f32[B,3,S]", "[B,3*S]"},
    {"flatten f32[2] axis=\"x\"", "bad_arg arg0 0 0"},
    {"flatten f32[2] axis=[1]", "bad_arg arg0 0 0"},
    {"flatten f32[2] axis=B", "unknown_size arg0 0 0"},
    {"flatten f32[2] axis=i64:0", "unknown_size arg0 0 0"},
    {"flatten f32[2] axis=" MIN, "bad_axis arg0 " MIN " 1"},
    {"squeeze f32[2,3] axes=0", "not_one in0[0] 2 1"},
    {"squeeze f32[3,1] axes=-1", "[3]"},
    {"squeeze f32[3,1] axis=[1]", "[3]"},
    {"squeeze f32[3,1] axes=-3", "bad_axis arg0[0] -3 2"},
    {"squeeze f32[1,3,1]", "[3]"},
    {"squeeze f32[1,1]", "[]"},
    {"squeeze f32[0,1]", "[0]"},
    {"squeeze f32[1,3,1] axes=[]", "[1,3,1]"},
    {"squeeze f32[1,3,1] axes=[0,-3,0]", "[3,1]"},
    {"squeeze f32 axes=[]", "[]"},
    {"squeeze f32 axes=0", "bad_axis arg0[0] 0 0"},
    {"squeeze f32[B,1]", "unknown_size in0[0] ? 1"},
    {"squeeze f32[B,1] axes=1", "[B]"},
    {"squeeze f32[B,1] axes=0", "unknown_size in0[0] ? 1"},
    {"squeeze f32[B+1,1] axes=0", "not_one in0[0] ? 1"},
    {"squeeze f32[B+1,1]", "[B+1]"},
    {"squeeze f32[1] axes=\"x\"", "bad_arg arg0 0 0"},
    {"squeeze f32[1] axes=i64:1", "unknown_size arg0 0 0"},
    {"squeeze f32[*]", "unknown_size in0 0 0"},
    {"unsqueeze f32[2,3,4] axes=[-1]", "[2,3,4,1]"},
    {"unsqueeze f32[3,4,5] axes=[4,0]", "[1,3,4,5,1]"},
    {"unsqueeze f32[2,3,4] axes=[1,1]", "duplicate_axis arg0[1] 0 1"},
    {"unsqueeze f32[2,3,4] axes=[-1,1]", "[2,1,3,4,1]"},
    {"unsqueeze f32[2,3] axes=[0,3,-5]", "duplicate_axis arg0[2] 0 2"},
    {"unsqueeze f32[2,3] axes=[3]", "bad_axis arg0[0] 3 3"},
    {"unsqueeze f32[2,3] axes=[-4]", "bad_axis arg0[0] -4 3"},
    {"unsqueeze f32 axes=0", "[1]"},
    {"unsqueeze f32[B] axes=[B]", "unknown_size arg0[0] ? 0"},
    {"unsqueeze f32[2]", "bad_arg arg0 0 0"},
    {"unsqueeze f32[" ONES_8 "," ONES_8 "] axes=[]", "[" ONES_8 "," ONES_8 "]"},
    {"unsqueeze f32[" ONES_8 "," ONES_8 "] axes=[0]", "rank_limit arg0 17 16"},
    {"transpose f32[2,3,4]", "[4,3,2]"},
    {"transpose f32[2,3,4] perm=[1,2,0]", "[3,4,2]"},
    {"transpose f32[2,3,4] axes=[1,0,2]", "[3,2,4]"},
    {"transpose f32 perm=[]", "[]"},
    {"transpose f32[2] perm=0", "[2]"},
    {"transpose f32[2] perm=[]", "bad_perm arg0 0 1"},
    {"transpose f32[2,3] perm=[0,0]", "bad_perm arg0[1] 0 2"},
    {"transpose f32[2,3] perm=[0,0,0]", "bad_perm arg0 3 2"},
    {"transpose f32[2,3] perm=[0,2]", "bad_perm arg0[1] 2 2"},
    {"transpose f32[2,3,4] perm=[1,0]", "bad_perm arg0 2 3"},
    {"transpose f32[2,3,4] perm=[0,1,2,3]", "bad_perm arg0 4 3"},
    {"transpose f32[2,3] perm=[-1,0]", "bad_perm arg0[0] -1 2"},
    {"transpose f32[2,3] perm=[4294967296,0]", "bad_perm arg0[0] 4294967296 2"},
    {"transpose f32[3,1,4,2] perm=[0,2,3,-3]", "bad_perm arg0[3] -3 4"}, // A23
    {"transpose f32[2,3] perm=[B,0]", "unknown_size arg0[0] ? 0"},
    {"transpose f32[2,3] perm=\"10\"", "bad_arg arg0 0 0"},
    {"transpose f32[2,3] perm=[[1,0]]", "bad_arg arg0 0 0"},
    {"transpose f32[2,3] perm=f32:1", "bad_type arg0 11 0"},
    {"transpose f32[2,3] perm=u8:1", "unknown_size arg0 0 0"},
    {"transpose f32[2,3] perm=i64:2", "bad_arg arg0 0 0"},
    {"flip f32[2,B] axes=[0,-1]", "[2,B]"},
    {"flip f32[2,3] axis=1", "[2,3]"},
    {"flip f32[2,3] axes=[]", "[2,3]"},
    {"flip f32[2,3] axes=[1,-1]", "duplicate_axis arg0[1] 0 1"},
    {"flip f32[2,3,4] axes=[0,1,-2]", "duplicate_axis arg0[2] 1 2"},
    {"flip f32[2,3] axes=[2]", "bad_axis arg0[0] 2 2"},
    {"flip f32[2,3]", "bad_arg arg0 0 0"},

    // ---- slice ----
    // ---- pad, tile, roll, gather, reverse_sequence ----
    {"pad f32[2,3] pads=[1,0,0,2]", "[3,5]"},
    {"pad f32[2,3] pads=[1,-2] axes=[-1]", "[2,2]"},
    {"pad f32[2,3] pads=[0,-3,0,0]", "[2,0]"},
    {"pad f32[0] pads=[1,1]", "[2]"},
    {"pad f32[0] pads=[0,0] mode=\"edge\"", "[0]"},
    {"pad f32 pads=[]", "[]"},
    {"pad f32[B,3,H] pads=[1,2] axes=[2]", "[B,3,H+3]"},
    {"pad f32[B,3] pads=[0,P] axes=[0]", "[B+P,3]"},
    {"pad f32[2*B+2] pads=[-3,1]", "[2*B]"},
    {"pad f32[B] pads=[-2,0]", "unknown_size arg0[0] ? 0"},
    {"pad f32[3] pads=[P+-Q,0]", "unknown_size arg0[0] ? 0"},
    {"pad f32[2,3] pads=[1,0]", "bad_length arg0 2 4"},
    {"pad f32[2,3] pads=[1] axes=[0]", "bad_length arg0 1 2"},
    {"pad f32[2,3] pads=[1,0] axes=[2]", "bad_axis arg3[0] 2 2"},
    {"pad f32[2,3] pads=[1,0,0,0] axes=[1,-1]", "duplicate_axis arg3[1] 0 1"},
    {"pad f32[2,3] pads=[1,0] axes=[0] mode=\"mirror\"", "bad_mode arg2 0 0"},
    {"pad f32[2,3] pads=[1,0] axes=[0] mode=3", "bad_arg arg2 0 0"},
    {"pad f32[2,3] pads=i64:1", "unknown_size arg0 0 0"},
    {"pad f32[2,3] pads=i64:1 mode=3", "bad_arg arg2 0 0"},
    {"pad f32[2,3] pads=i64:1 mode=\"mirror\"", "bad_mode arg2 0 0"},
    {"pad f32[2] pads=[-3,4]", "bad_dim arg0[0] -1 0"},
    {"pad f32[2] pads=[1,-3]", "bad_dim arg0[1] -1 0"},
    {"pad f32[2,0] pads=[0,1,0,0] mode=\"wrap\"", "bad_dim arg0[1] 0 1"},
    {"pad f32[2] pads=[-2,1] mode=\"reflect\"", "bad_dim arg0[0] 0 1"},
    {"pad f32[2] pads=[" MIN ",0]", "overflow arg0[0] " MIN " 0"},
    {"pad f32[2] pads=[" MAX ",0]", "overflow arg0[0] " MAX " 0"},
    {"pad f32[2] pads=[1," MAX "]", "overflow arg0[1] " MAX " 0"},
    {"pad f32[2] pads=[-" MAX ",-" MAX "]", "overflow arg0[0] 2 0"},
    {"pad f32[2] pads=[-3,4] mode=\"edge\" crop_last=1", "[3]"},
    {"pad f32[B] pads=[-3,4] mode=\"wrap\" crop_last=1", "[B+1]"},
    {"pad f32[3] pads=[P+-Q,Q] mode=\"edge\" crop_last=1", "[P+3]"},
    {"pad f32[3] pads=[P+-Q,0] mode=\"edge\" crop_last=1", "unknown_size arg0[0] ? 0"},
    {"pad f32[2] pads=[-7,4] mode=\"edge\" crop_last=1", "bad_dim arg0[0] -1 0"},
    {"pad f32[0] pads=[-1,4] mode=\"edge\" crop_last=1", "bad_dim arg0[0] 0 1"},
    {"pad f32[2] pads=[-3,4] crop_last=1", "bad_dim arg0[0] -1 0"},
    {"pad f32[2] pads=[" MAX ",-" MAX "] mode=\"edge\" crop_last=1", "overflow arg0[0] " MAX " 0"},
    {"pad f32[2] pads=[1,0] crop_last=2", "bad_attr arg4 2 1"},
    {"pad f32[2] pads=[1,0] crop_last=\"yes\"", "bad_arg arg4 0 0"},
    {"pad f32[2] pads=[1,0] value=#7", "[3]"},
    {"pad f32[2] pads=[1,0] value=7", "bad_arg arg1 0 0"},
    {"pad f32[2] pads=i64:2", "bad_arg arg0 0 0"},
    {"pad f32[2] pads=[1,0] axes=\"x\"", "bad_arg arg3 0 0"},
    {"pad f32[2] pads=[1,0] axes=[B]", "unknown_size arg3[0] ? 0"},
    {"empty pad f32[B] pads=[P,Q] mode=\"wrap\"", "unknown_size arg0[0] ? ?"},
    {"pad f32[2] pads={?,?} axes=i64:1", "unknown_size arg0 0 0"},
    {"pad f32[B] pads=[1,1] mode=\"edge\"", "[B+2]"},
    {"empty pad f32[B] pads=[1,1] mode=\"edge\"", "unknown_size arg0[0] ? 1"},
    {"empty pad f32[B] pads=[B,0] mode=\"edge\"", "[2*B]"},
    {"empty pad f32[B] pads=[P,0] mode=\"wrap\"", "unknown_size arg0[0] ? ?"},
    {"pad i8[2,2,2] pads=[0,0,0,0,9000000000000000000,0]", "overflow 0 0"},
    {"center_crop_pad f32[20,8,3] shape=[10,9] axes=[0,1]", "[10,9,3]"},
    {"center_crop_pad f32[20,8] shape=[10,8]", "[10,8]"},
    {"center_crop_pad f32[B+4] shape=[B]", "[B]"},
    {"center_crop_pad f32[B] shape=[B+2]", "[B+2]"},
    {"center_crop_pad f32[B] shape=[B+1]", "[B+1]"},
    {"center_crop_pad f32[3*B] shape=[B]", "[B]"},
    {"center_crop_pad f32[2*B] shape=[B]", "unknown_size arg0[0] ? ?"},
    {"center_crop_pad f32[B] shape=[3*B]", "[3*B]"},
    {"center_crop_pad f32[B] shape=[2*B]", "unknown_size arg0[0] ? ?"},
    {"center_crop_pad f32[B+S] shape=[B]", "unknown_size arg0[0] ? ?"},
    {"center_crop_pad f32[B] shape=[B+2*S]", "[B+2*S]"},
    {"center_crop_pad f32[B] shape=[4]", "unknown_size arg0[0] 4 ?"},
    {"center_crop_pad f32[4] shape=[-1]", "bad_dim arg0[0] -1 0"},
    {"center_crop_pad f32[4,4] shape=[1]", "bad_length arg0 1 2"},
    {"center_crop_pad f32[4,4] shape=[1,1] axes=[0]", "bad_length arg0 2 1"},
    {"center_crop_pad f32[4,4] shape=[1] axes=[2]", "bad_axis arg1[0] 2 2"},
    {"center_crop_pad f32[4,4] shape=[1,1] axes=[1,-1]", "duplicate_axis arg1[1] 0 1"},
    {"center_crop_pad f32[4]", "bad_arg arg0 0 0"},
    {"center_crop_pad f32[4] shape=[1] axes=\"x\"", "bad_arg arg1 0 0"},
    {"center_crop_pad f32[4] shape=i64:1", "unknown_size arg0 0 0"},
    {"center_crop_pad i8[2,2,2] shape=[2,9000000000000000000,2]", "overflow 0 0"},
    {"pad f32[2,2] pads=[0,0,0,9000000000000000000]", "overflow 0 0"},
    {"tile f32[2,3] repeats=[3,1]", "[6,3]"},
    {"tile f32[B,3] repeats=[2,R]", "[2*B,3*R]"},
    {"tile f32[2,3] repeats=[0,2]", "[0,6]"},
    {"tile f32[2,3] repeats=[2]", "bad_length arg0 1 2"},
    {"tile f32[2,3] repeats=[2,-1]", "bad_dim arg0[1] -1 0"},
    {"tile f32[2,3] repeats=[2,P+-Q]", "unknown_size arg0[1] ? 0"},
    {"tile f32[2,3] repeats=[" MAX ",1]", "overflow arg0[0] " MAX " 0"},
    {"tile i8[2,1,1] repeats=[2," MAX ",1]", "overflow 0 0"},
    {"tile f32[2] repeats=\"x\"", "bad_arg arg0 0 0"},
    {"tile f32[2] repeats=i64:1", "unknown_size arg0 0 0"},
    {"repeat f32[2,3] repeats=[3,1]", "[6,3]"},
    {"repeat f32[2] repeats=[1,2]", "bad_length arg0 2 1"},
    {"repeat f32[2] repeats=\"x\"", "bad_arg arg0 0 0"},
    {"repeat f32[2] repeats=[-1]", "bad_dim arg0[0] -1 0"},
    {"repeat f32[" ONES_8 "," ONES_8 "] repeats=[" ONES_8 "," ONES_8 "]",
     "[" ONES_8 "," ONES_8 "]"},
    {"repeat f32[" ONES_8 "," ONES_8 "] repeats=[2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]",
     "rank_limit arg0 17 16"},
    {"roll f32[2,3] shifts=5", "[2,3]"},
    {"roll f32[2,3] shifts=[5]", "[2,3]"},
    {"roll f32[B,3] shifts=[1,2] axes=[-1]", "[B,3]"},
    {"roll f32[2,3] shifts=[1,2] axes=[0,1,0]", "bad_length arg1 3 2"},
    {"roll f32[2,3] shifts=[1] axes=[2]", "bad_axis arg1[0] 2 2"},
    {"roll f32[2,3] shifts=[1,B] axes=[0]", "unknown_size arg0[1] ? 2"},
    {"roll f32[2,3] shifts=[1] axes=[0,1]", "[2,3]"},
    {"roll f32[0,B] shifts=1 axes=0", "[0,B]"},
    {"roll f32[2,3] shifts=[-1,5] axes=[0,0]", "[2,3]"},
    {"roll f32[B] shifts=[] axes=[]", "[B]"},
    {"roll f32[B] shifts=[1] axes=[0]", "[B]"},
    {"roll f32[B] shifts=[-1] axes=[0]", "[B]"},
    {"roll f32[B] shifts=[B] axes=[0]", "[B]"},
    {"roll f32[B] shifts=[3] axes=[0]", "unknown_size arg0[0] 3 ?"},
    {"roll f32[B] shifts=[-3] axes=[0]", "unknown_size arg0[0] -3 ?"},
    {"roll f32[B] shifts=[" MIN "] axes=[0]", "unknown_size arg0[0] " MIN " ?"},
    {"roll f32[B] shifts=[" MAX "," MAX "] axes=[0,0]", "unknown_size arg0[0] " MAX " ?"},
    {"roll f32[B,3] shifts=1", "[B,3]"},
    {"roll f32[B,3] shifts=4", "unknown_size arg0[0] 4 ?"},
    {"roll f32[4,B] shifts=[B,1] axes=[0,1]", "unknown_size arg0[0] ? 4"},
    {"roll f32[4] shifts=\"x\"", "bad_arg arg0 0 0"},
    {"roll f32[4] shifts=1 axes=\"x\"", "bad_arg arg1 0 0"},
    {"roll f32[4] shifts=1 axes={?}", "unknown_size arg1 0 0"},
    {"roll f32[4] shifts=[1,2,3] axes={?,?}", "unknown_size arg1 0 0"},
    {"gather f32[4,5] indices=[0,-4,3]", "[3,5]"},
    {"gather f32[4,5] indices=2 axis=-1", "[4]"},
    {"gather f32[4,0] indices=[] axis=1", "[4,0]"},
    {"gather f32[B,5] indices=[0,-1]", "[2,5]"},
    {"gather f32[4,5] indices=[0,4]", "bad_index arg0[1] 4 4"},
    {"gather f32[4,5] indices=[-5]", "bad_index arg0[0] -5 4"},
    {"gather f32[4,5] indices=[" MAX "]", "bad_index arg0[0] " MAX " 4"},
    {"gather f32[B,5] indices=[1]", "unknown_size arg0[0] 1 ?"},
    {"gather f32[B,5] indices=[B]", "unknown_size arg0[0] ? ?"},
    {"gather f32[0] indices=0", "bad_index arg0[0] 0 0"},
    {"gather f32 indices=0", "bad_rank in0 0 1"},
    {"gather f32[4,5] indices=0 axis=2", "bad_axis arg1 2 2"},
    {"gather f32[4,5] indices=i64:2", "unknown_size arg0 0 0"},
    {"gather f32[4,5,6] indices=[[0,1]] axis=1", "[4,1,2,6]"},
    {"gather f32[4] indices=\"x\"", "bad_arg arg0 0 0"},
    {"gather f32[4] indices=[[],[]]", "bad_arg arg0 0 0"},
    {"gather f32[4] indices=0 axis=\"x\"", "bad_arg arg1 0 0"},
    {"gather f32[" ONES_8 "," ONES_8 "] indices=[[0]]", "rank_limit arg0 17 16"},
    {"gather f32[" ONES_8 "," ONES_8 "] indices=[[0]] axis=16", "bad_axis arg1 16 16"},
    {"gather i8[1,4611686018427387904] indices=[0,0]", "overflow 0 0"},
    {"gather f32[4] indices=[" MIN "]", "bad_index arg0[0] " MIN " 4"},
    {"reverse_sequence f32[4,2] lengths=[0,4]", "[4,2]"},
    {"reverse_sequence f32[2,T,7] lengths=[0,1] time_axis=1 batch_axis=0", "[2,T,7]"},
    {"reverse_sequence f32[4,2] lengths=[1]", "bad_length arg0 1 2"},
    {"reverse_sequence f32[4,2] lengths=[1,5]", "bad_index arg0[1] 5 4"},
    {"reverse_sequence f32[4,2] lengths=[-1,0]", "bad_index arg0[0] -1 4"},
    {"reverse_sequence f32[T,2] lengths=[2,0]", "unknown_size arg0[0] 2 ?"},
    {"reverse_sequence f32[4,B] lengths=[1]", "unknown_size arg0 1 ?"},
    {"reverse_sequence f32[4] lengths=[1]", "bad_rank in0 1 2"},
    {"reverse_sequence f32[4,2] lengths=[1,1] time_axis=2", "bad_axis arg1 2 2"},
    {"reverse_sequence f32[4,2] lengths=[1,1] batch_axis=-1", "bad_axis arg2 -1 2"},
    {"reverse_sequence f32[4,2] lengths=[1,1] time_axis=1", "duplicate_axis arg1 1 1"},
    {"reverse_sequence f32[4,2] lengths=[1,1] time_axis=1 batch_axis=1", "duplicate_axis arg2 1 1"},
    {"reverse_sequence f32[4,2] lengths=[1,1] time_axis=\"x\"", "bad_arg arg1 0 0"},
    {"reverse_sequence f32[4,2] lengths=\"x\"", "bad_arg arg0 0 0"},
    {"reverse_sequence f32[4,2] lengths=[B,1]", "unknown_size arg0[0] ? 4"},

    {"slice f32[20,10,5] starts=[0,0] ends=[3,10]", "[3,10,5]"},
    {"slice f32[20,10,5] starts=[0,0,3] ends=[20,10,4]", "[20,10,1]"},
    {"slice f32[20,10,5] starts=[1] ends=[1000] axes=[1]", "[20,9,5]"},
    {"slice f32[20,10,5] starts=[0] ends=[-1] axes=[-2]", "[20,9,5]"},
    {"slice f32[20,10,5] starts=[20,10,4] ends=[0,0,1] axes=[0,1,2] steps=[-1,-3,-2]", "[19,3,2]"},
    {"slice f32[20,10,5] starts=[1000] ends=[1000] axes=[1]", "[20,0,5]"},
    {"slice f32[5] starts=-1 ends=" MIN " steps=-1", "[5]"},
    {"slice f32[5] starts=-1 ends=-1 steps=-1", "[0]"},
    {"slice f32[5] starts=0 ends=5 steps=" MAX, "[1]"},
    {"slice f32[5] starts=4 ends=" MIN " steps=" MIN, "[1]"},
    {"slice f32[0] starts=-1 ends=" MIN " steps=-1", "[0]"},
    {"slice f32[2,3] starts=[] ends=[]", "[2,3]"},
    {"slice f32[2,3] starts=[0] ends=[1,2]", "bad_length arg1 2 1"},
    {"slice f32[2,3] starts=[0] ends=[1] axes=[0,1]", "bad_length arg2 2 1"},
    {"slice f32[2,3] starts=[0] ends=[1] steps=[]", "bad_length arg3 0 1"},
    {"slice f32[2,3] starts=[0] ends=[1] axes=[2]", "bad_axis arg2[0] 2 2"},
    {"slice f32[2] starts=[0,0] ends=[1,1]", "bad_axis arg0[1] 1 1"},
    {"slice f32[2,3] starts=[0,0] ends=[1,1] axes=[1,-1]", "duplicate_axis arg2[1] 0 1"},
    {"slice f32[2,3] starts=[0] ends=[1] steps=[0]", "bad_step arg3[0] 0 0"},
    {"slice f32[2,3] ends=[1]", "bad_arg arg0 0 0"},
    {"slice f32[2,3] starts=[0]", "bad_arg arg1 0 0"},
    {"slice f32[2,3] starts=[0] ends=\"x\"", "bad_arg arg1 0 0"},
    {"slice f32[2,3] starts=[0] ends=i64:1", "unknown_size arg1 0 0"},
    {"slice f32[2,3] starts=[0] ends=[1] steps=[B]", "unknown_size arg3[0] ? 0"},
    {"slice f8e5m2[2,3] starts=[0] ends=[1]", "[1,3]"},
    {"slice f32[S,3] starts=0 ends=" MAX, "[S,3]"},
    {"slice f32[S,3] starts=-1 ends=" MIN " steps=-1", "[S,3]"},
    {"slice f32[S,3] starts=" MAX " ends=" MIN " steps=-1", "[S,3]"},
    {"slice f32[S,3] starts=0 ends=S", "[S,3]"},
    {"slice f32[S,3] starts=" MIN " ends=1", "[1,3]"},
    {"slice f32[S,3] starts=-1 ends=" MAX, "[1,3]"},
    {"slice f32[S+4] starts=2 ends=-1", "[S+1]"},
    {"slice f32[S+4] starts=-2 ends=1 steps=-1", "[S+1]"},
    {"slice f32[2*S] starts=0 ends=" MAX " steps=2", "[S]"},
    {"slice f32[S] starts=0 ends=" MAX " steps=2", "unknown_size arg1[0] " MAX " ?"},
    {"slice f32[S] starts=2 ends=" MAX, "unknown_size arg1[0] " MAX " ?"},
    {"slice f32[S] starts=0 ends=B", "unknown_size arg1[0] ? ?"},
    {"slice f32[S] starts=B ends=S", "unknown_size arg0[0] ? ?"},
    {"slice f32[B*S] starts=S ends=" MAX, "[B*S-S]"},
    {"slice f32[0] starts=-2 ends=-9 steps=-1", "[0]"},
    {"slice f32[S-1] starts=-1 ends=" MIN " steps=-1", "[S-1]"},
    {"slice f32[S-1] starts=0 ends=" MIN " steps=-1", "unknown_size arg1[0] " MIN " ?"},
    {"slice f32[9] starts=-1*B ends=" MAX, "unknown_size arg0[0] ? 9"},
    {"slice f32[9] starts=B-2 ends=9", "unknown_size arg0[0] ? 9"},
    {"slice f32[S] starts=-1 ends=" MIN " steps=" MIN "", "unknown_size arg1[0] " MIN " ?"},
    {"slice f32[9] starts=0 ends=5 steps={?}", "unknown_size arg3 0 0"},
    {"slice f32[9] starts=0 ends=5 axes={?}", "unknown_size arg2 0 0"},
    {"slice f32[9] starts=0 ends=5 axes=\"x\"", "bad_arg arg2 0 0"},
    {"empty slice f32[2*H] starts=1 ends=" MAX " steps=2", "[H]"},
    {"empty slice f32[H] starts=0 ends=1", "unknown_size arg1[0] 1 ?"},
    {"empty slice f32[H] starts=0 ends=B", "unknown_size arg1[0] ? ?"},

    // ---- expand ----
    {"expand f32[3,1] shape=[2,1,6]", "[2,3,6]"},
    {"expand f32[3,1] shape=[3,4]", "[3,4]"},
    {"expand f32[2,3] shape=[1]", "[2,3]"},
    {"expand f32[2,3] shape=[]", "[2,3]"},
    {"expand f32 shape=4", "[4]"},
    {"expand f32[1] shape=[0]", "[0]"},
    {"expand f32[0] shape=[1]", "[0]"},
    {"expand f32[3] shape=[0]", "not_broadcastable arg0[0] 3 0"},
    {"expand f32[3] shape=[2]", "not_broadcastable arg0[0] 3 2"},
    {"expand f32[3] shape=[-1]", "bad_dim arg0[0] -1 0"},
    {"expand f32[3,2] shape=[2,-5,2]", "bad_dim arg0[1] -5 0"},
    {"expand f32[1] shape=[4294967296,4294967296]", "overflow arg0 4294967296 0"},
    {"expand f32[0] shape=[" MAX ",2,1]", "overflow arg0 2 0"},
    {"expand f32[1] shape=[" ONES_8 "," ONES_8 ",1]", "rank_limit arg0 17 16"},
    {"expand f32[1] shape=[" ONES_8 "," ONES_8 "]", "[" ONES_8 "," ONES_8 "]"},
    {"expand f32[B,1] shape=[1,S]", "[B,S]"},
    {"expand f32[B,1] shape=[B,S]", "[B,S]"},
    {"expand f32[B] shape=[4]", "unknown_size arg0[0] ? 4"},
    {"expand f32[4] shape=[-1*B]", "bad_dim arg0[0] ? 0"},
    {"expand f32[3] shape=i64:1", "unknown_size arg0 0 0"},
    {"expand f32[3]", "bad_arg arg0 0 0"},

    // ---- concat and stack ----
    {"concat f32[2,3] f32[2,5] f32[2,0] axis=-1", "[2,8]"},
    {"concat f32[2,3] axis=0", "[2,3]"},
    {"concat f32[2,3] axis=2", "bad_axis arg0 2 2"},
    {"concat f32[2,3]", "bad_arg arg0 0 0"},
    {"concat f32 f32 axis=0", "bad_rank in0 0 1"},
    {"concat f32[2] i32[2] axis=0", "type_mismatch in1 3 11"},
    {"concat f32[2] f32[2,1] axis=0", "shape_mismatch in1 2 1"},
    {"concat f32[2,3] f32[2,3] f32[2,4] axis=0", "shape_mismatch in2[1] 4 3"},
    {"concat i8[" MAX "] i8[1] axis=0", "overflow in1[0] 1 0"},
    {"concat i8[4611686018427387904,1] i8[1,1] i8[4611686018427387904,1] axis=0",
     "overflow in2[0] 4611686018427387904 0"},
    {"concat i8[3,2305843009213693952] i8[1,2305843009213693952] axis=0", "overflow 4 0"},
    {"concat f32[3,2] f32[4,2] axis=1", "shape_mismatch in1[0] 4 3"},
    {"concat f32[B,3] f32[2*B,3] axis=0", "[3*B,3]"},
    {"concat f32[2,B] f32[2,3] axis=0", "unknown_size in1[1] 3 ?"},
    {"concat f32[2,B] f32[2,B+1] axis=0", "shape_mismatch in1[1] ? ?"},
    {"concat f32[2,B] f32[1,B] axis=0", "[3,B]"},
    {"concat i4[2] i4[2] axis=0", "[4]"},
    {"concat f32[2] axis=\"x\"", "bad_arg arg0 0 0"},
    {"stack f32[2] axis=\"x\"", "bad_arg arg0 0 0"},
    {"stack f32[4,5] f32[4,5] f32[4,5]", "[3,4,5]"},
    {"stack f32[4,5] f32[4,5] axis=1", "[4,2,5]"},
    {"stack f32[4,5] f32[4,5] axis=-1", "[4,5,2]"},
    {"stack f32 f32 axis=-1", "[2]"},
    {"stack f32[4,5] axis=3", "bad_axis arg0 3 3"},
    {"stack f32[4,5] f32[4,6]", "shape_mismatch in1[1] 6 5"},
    {"stack f32[4] f16[4]", "type_mismatch in1 9 11"},
    {"stack f32[" ONES_8 "," ONES_8 "] f32[" ONES_8 "," ONES_8 "]", "rank_limit in0 17 16"},
    {"stack i8[" MAX "] i8[" MAX "]", "overflow 2 0"},
    {"stack f32[B] f32[B]", "[2,B]"},

    // ---- split ----
    {"split f32[6,2] parts=3 -> 3", "[2,2] [2,2] [2,2]"},
    {"split f32[2,7] axis=-1 num_outputs=3 -> 3", "[2,3] [2,3] [2,1]"},
    {"split f32[6] sizes=[1,0,5] -> 3", "[1] [0] [5]"},
    {"split f32[6] split=[6]", "[6]"},
    {"split f32[6] -> 2", "[3] [3]"},
    {"split f32[0] parts=2 -> 2", "[0] [0]"},
    {"split f32[7] -> 2", "bad_parts arg1 2 7"},
    {"split f32[6] -> 0", "bad_parts arg1 0 0"},
    {"split f32[5] parts=4 -> 4", "bad_parts arg1 4 5"},
    {"split f32[6] parts=0 -> 1", "bad_parts arg1 0 0"},
    {"split f32[6] parts=-1 -> 1", "bad_parts arg1 -1 0"},
    {"split f32[6] parts=4294967297 -> 1", "bad_parts arg1 4294967297 6"},
    {"split f32[6] parts=3 -> 2", "bad_parts 2 3"},
    {"split f32[6] sizes=[3,3] -> 3", "bad_parts 3 2"},
    {"split f32[6] sizes=[] -> 0", "bad_parts arg2 0 0"},
    {"split f32[6] sizes=[3,3] parts=2 -> 2", "bad_parts arg1 0 0"},
    {"split f32[6] sizes=[3,2] -> 2", "bad_parts arg2 5 6"},
    {"split f32[6] sizes=[7,-1] -> 2", "bad_parts arg2[1] -1 6"},
    {"split f32[6] sizes=[" MAX ",1] -> 2", "overflow arg2[1] 1 0"},
    {"split f32[6] axis=1 parts=2 -> 2", "bad_axis arg0 1 1"},
    {"split f32 parts=1", "bad_axis arg0 0 0"},
    {"split f32[6] parts=B -> 2", "unknown_size arg1 0 0"},
    {"split f32[6] sizes=i64:1 -> 2", "unknown_size arg2 0 0"},
    {"split f32[6] sizes=\"x\" -> 2", "bad_arg arg2 0 0"},
    {"split f32[6] axis=\"x\" parts=2 -> 2", "bad_arg arg0 0 0"},
    {"split f32[6] parts=4294967297 axis=9 -> 1", "bad_axis arg0 9 1"},
    {"split f32[B] -> 2", "unknown_size arg1 2 ?"},
    {"split f32[2*B+1] -> 2", "bad_parts arg1 2 ?"},
    {"split f32[B,3*C] axis=1 parts=3 -> 3", "[B,C] [B,C] [B,C]"},
    {"split f32[B] parts=2 -> 2", "unknown_size arg1 2 ?"},
    {"split f32[B+S] sizes=[B,S] -> 2", "[B] [S]"},
    {"split f32[B+S] sizes=[B,B] -> 2", "unknown_size arg2 ? ?"},
    {"split f32[B] sizes=[B,1] -> 2", "bad_parts arg2 ? ?"},

    // ---- depth, space, identity, and calls as such ----
    {"depth_to_space f32[1,12,2,3] blocksize=2", "[1,3,4,6]"},
    {"depth_to_space f32[1,12,2,3] blocksize=2 mode=\"CRD\"", "[1,3,4,6]"},
    {"depth_to_space f32[B,4*C,H,3] blocksize=2 mode=\"DCR\"", "[B,C,2*H,6]"},
    {"depth_to_space f32[1,12,2,3] blocksize=2 mode=\"DRC\"", "bad_mode arg1 0 0"},
    {"depth_to_space f32[1,12,2,3] blocksize=2 mode=\"DCX\"", "bad_mode arg1 0 0"},
    {"depth_to_space f32[1,12,2,3] blocksize=2 mode=\"XCR\"", "bad_mode arg1 0 0"},
    {"depth_to_space f32[1,12,2,3] blocksize=2 mode=\"CXD\"", "bad_mode arg1 0 0"},
    {"depth_to_space f32[1,12,2,3] blocksize=2 mode=\"\"", "bad_mode arg1 0 0"},
    {"depth_to_space f32[1,12,2,3] blocksize=2 mode=\"CRDX\"", "bad_mode arg1 0 0"},
    {"depth_to_space f32[1,12,2,3] blocksize=2 mode=\"DCRX\"", "bad_mode arg1 0 0"},
    {"depth_to_space f32[1,12,2,3] blocksize=2 mode=\"CRX\"", "bad_mode arg1 0 0"},
    {"space_to_depth f32[1,3,4,6] blocksize=2 mode=\"X\"", "bad_mode arg1 0 0"},
    {"depth_to_space i8[2305843009213693952,0,2,1] blocksize=2", "overflow arg0 2 0"},
    {"depth_to_space f32[1,12,2,3] blocksize=2 mode=1", "bad_arg arg1 0 0"},
    {"depth_to_space f32[1,12,2,3]", "bad_arg arg0 0 0"},
    {"depth_to_space f32[1,12,2] blocksize=2", "bad_rank in0 3 4"},
    {"depth_to_space f32[1,12,2,3] blocksize=0", "bad_block arg0 0 0"}, // C13
    {"depth_to_space f32[1,12,2,3] blocksize=-2", "bad_block arg0 -2 0"},
    {"depth_to_space f32[1,12,2,3] blocksize=3", "bad_block in0[1] 9 12"},
    {"depth_to_space f32[1,C,2,3] blocksize=3", "unknown_size in0[1] 9 ?"},
    {"depth_to_space f32[0,0,0,0] blocksize=" MAX, "overflow arg0 " MAX " 0"},
    {"depth_to_space f32[1,0,3,3] blocksize=1073741824", "overflow arg0 1073741824 0"},
    {"depth_to_space f32[1,0,9223372036854775,1] blocksize=2048", "overflow arg0 2048 0"},
    {"space_to_depth f32[1,3,4,6] blocksize=2", "[1,12,2,3]"},
    {"space_to_depth f32[1,3,4,2*W] blocksize=2", "[1,12,2,W]"},
    {"space_to_depth f32[1,3,5,6] blocksize=2", "bad_block in0[2] 2 5"},
    {"space_to_depth f32[1,3,4,5] blocksize=2", "bad_block in0[3] 2 5"},
    {"space_to_depth f32[1,2199023255552,0,2048] blocksize=2048", "overflow arg0 4194304 0"},
    {"space_to_depth f32[1,1073741824,0,4194304] blocksize=2048", "overflow arg0 2048 0"},
    {"space_to_depth f32[4] blocksize=2", "bad_rank in0 1 4"},
    {"space_to_depth i8[2305843009213693952,1,0,2] blocksize=2", "overflow arg0 2 0"},
    {"identity i4[2,B]", "[2,B]"},
    {"identity f32", "[]"},
    {"identity f32[" MAX ",2]", "overflow in0 0 0"},
    {"identity f32[2,-1]", "bad_dim in0[1] -1 0"},
    {"identity f32 f32", "bad_arg 2 1"},
    {"concat axis=0", "bad_arg 0 1"},
    {"identity f32 -> 2", "bad_arg 2 1"},
};

// The parts of rsh_resolve that can be called separately.
static void run_parts(void) {
  static const Case wrong = {"the functions by themselves", ""};
  static Call c;
  rsh_shape out;
  rsh_fault fault;
  int32_t count = 0;
  rsh_range range;
  call_read(&c, "split f32[7] sizes=[1,2,4] -> 1");
  if (rsh_out_count(&c.call, &count, &fault) != RSH_ok || count != 3)
    fail(&wrong, "rsh_out_count of split");
  call_read(&c, "flatten f32[7]");
  if (rsh_out_count(&c.call, &count, &fault) != RSH_ok || count != 1)
    fail(&wrong, "rsh_out_count of flatten");
  call_read(&c, "onnx.reshape bf16[7] shape=[-9] opset=5");
  if (rsh_check_type(&c.call, &fault) != RSH_bad_type || fault.input != 0)
    fail(&wrong, "rsh_check_type of onnx.reshape");
  call_read(&c, "flip u2[7] axes=[9]");
  if (rsh_check_type(&c.call, &fault) != RSH_ok)
    fail(&wrong, "rsh_check_type of flip");
  call_read(&c, "transpose u2[7] perm=[9]");
  if (rsh_check_type(&c.call, &fault) != RSH_ok)
    fail(&wrong, "rsh_check_type of transpose");
  for (int32_t rank = RSH_RANK_UNKNOWN - 1; rank <= RSH_MAX_RANK + 1; rank += RSH_MAX_RANK + 3) {
    c.in[0].rank = rank;
    if (rsh_resolve(&c.call, &out, &fault) != RSH_rank_limit)
      fail(&wrong, "a rank that the array does not hold");
  }
  call_read(&c, "squeeze f32[?] axes=0");
  c.call.symbols = 0; // and so no bounds of the size
  if (rsh_resolve(&c.call, &out, &fault) != RSH_unknown_size)
    fail(&wrong, "an unknown size without its table");
  call_read(&c, "split f32[7] parts=9 -> 9");
  int32_t axis;
  rsh_num start, part;
  if (rsh_split_part(&c.call, 0, &axis, &start, &part) != RSH_bad_parts)
    fail(&wrong, "rsh_split_part of a call that is refused");
  call_read(&c, "concat f32[2,3] f32[2,3] f32[4,3] f32[2] axis=0");
  if (!rsh_shape_equal(&c.in[0], &c.in[1]) || rsh_shape_equal(&c.in[0], &c.in[2]) ||
      rsh_shape_equal(&c.in[0], &c.in[3]))
    fail(&wrong, "rsh_shape_equal");
  c.call.op = RSH_OP_COUNT;
  c.call.in_count = 0;
  is_seen[rsh_resolve(&c.call, &out, &fault)] = true;
  if (rsh_slice_range(0, rsh_int(5), rsh_int(9), rsh_int(9), -3, &range) != RSH_ok ||
      !rsh_is(range.start, 0) || !rsh_is(range.step, 1) || !rsh_is(range.count, 0))
    fail(&wrong, "a slice without elements");
  call_read(&c, "identity f32[*]");
  if (rsh_resolve(&c.call, &out, &fault) != RSH_ok || out.rank != RSH_RANK_UNKNOWN)
    fail(&wrong, "identity of an unknown rank");
}

// Whether a 0 in the target copies a size, whether copies do not count, and whether the last operand has indices.
static void run_questions(void) {
  static const struct {
    const char *call;
    bool copies, skips_copied, takes_indices;
  } rows[] = {
      {"reshape f32[2] shape=[0]", true, false, false},
      {"reshape f32[2] shape=[0] allowzero=0", true, false, false},
      {"reshape f32[2] shape=[0] allowzero=1", false, false, false},
      {"openvino.reshape f32[2] shape=[0] special_zero=1", true, true, false},
      {"openvino.reshape f32[2] shape=[0] special_zero=0", false, false, false},
      {"onednn.static_reshape f32[2] shape=[0] special_zero=1", true, false, false},
      {"paddle.reshape f32[2] shape=[0]", true, false, false},
      {"gather f32[2] i64[2]", false, false, true},
      {"gather f32[2] indices=[0]", false, false, false},
      {"gather_elements f32[2] i64[2]", false, false, true},
      {"gather_nd f32[2] i64[2,1]", false, false, true},
      {"concat f32[2] f32[2] axis=0", false, false, false},
  };
  static Call c;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const Case row = {rows[i].call, "another answer"};
    call_read(&c, rows[i].call);
    bool is_reshape = rsh_op_family(c.call.op) == RSH_RESHAPES;
    if ((is_reshape && (rsh_reshape_copies(&c.call) != rows[i].copies ||
                        rsh_reshape_skips_copied(&c.call) != rows[i].skips_copied)) ||
        rsh_takes_indices(&c.call) != rows[i].takes_indices)
      fail(&row, "");
  }
}

// What is no operator has no name and takes nothing; a name of an element type has no NUL in it.
static void run_names(void) {
  static const Case wrong = {"what is no operator", ""};
  const rsh_op none = RSH_OP_COUNT;
  if (*rsh_op_onnx_name(none) != 0 || *rsh_op_arguments(none) != 0 || *rsh_op_summary(none) != 0 ||
      rsh_op_min_operands(none) != 0 || rsh_op_max_operands(none) != 0 ||
      rsh_op_family(none) != RSH_KEEPS || rsh_op_result(none) != RSH_RESULT_OPEN ||
      *rsh_op_name(none) != 0)
    fail(&wrong, "something of it");
  if (rsh_dtype_find("i8", 3) != RSH_DTYPE_NONE || rsh_dtype_find("i8", 2) != RSH_I8)
    fail(&wrong, "an element type");
}

// Sizes that are not polynomials: positions of slices, quotients, and computed entries of targets.
static void run_edges(void) {
  static const struct {
    rsh_edge_kind kind;
    int64_t at, size, least, want;
  } rows[] = {
      {RSH_EDGE_PLACE, 3, 5, 0, 3},         {RSH_EDGE_PLACE, -2, 5, 0, 3},
      {RSH_EDGE_PLACE, 9, 5, 0, 5},         {RSH_EDGE_PLACE, -9, 5, 0, 0},
      {RSH_EDGE_PLACE, 1, 5, 2, 2},         {RSH_EDGE_PLACE, INT64_MAX, 5, 0, 5},
      {RSH_EDGE_PLACE, INT64_MIN, 5, 2, 2}, {RSH_EDGE_FLOOR, 7, 2, 0, 3},
      {RSH_EDGE_FLOOR, 7, 0, 0, 0},         {RSH_EDGE_CEILING, 7, 2, 0, 4},
      {RSH_EDGE_CEILING, 8, 2, 0, 4},       {RSH_EDGE_CEILING, 7, 0, 0, 0},
      {RSH_EDGE_EITHER, 3, 5, 0, 3},        {RSH_EDGE_EITHER, 0, 5, 0, 5},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    int64_t got = -7;
    rsh_status status = rsh_edge(rows[i].kind, rows[i].at, rows[i].size, rows[i].least, &got);
    if (status != RSH_ok || got != rows[i].want) {
      printf("edge %zu: %s %lld\n", i, rsh_status_name(status), (long long)got);
      failures++;
    }
  }
}

// The element types that an operator accepts: the words of a list, for its data or for its target.
static void check_types(const char *name, const char *text, bool is_target, const char *allowed) {
  static Call c;
  char list[300];
  call_read(&c, text);
  sprintf(list, " %s ", allowed);
  for (int t = 0; t < RSH_DTYPE_COUNT; t++) {
    char word[40];
    sprintf(word, " %s ", rsh_dtype_name((rsh_dtype)t));
    bool is_allowed = strstr(list, word) != 0;
    if (is_target)
      c.call.arg[0].dtype = (rsh_dtype)t;
    else
      c.type[0] = (rsh_dtype)t;
    if ((rsh_check_type(&c.call, 0) == RSH_ok) != is_allowed) {
      printf("%s %s: %s\n", name, is_target ? "target" : "data", word);
      failures++;
    }
  }
}

static void run_types(void) {
#define OPSET_1 "f16 f32 f64"
#define OPSET_5 OPSET_1 " u8 u16 u32 u64 i8 i16 i32 i64 string bool c64 c128"
#define OPSET_13 OPSET_5 " bf16"
#define OPSET_19 OPSET_13 " f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz"
#define OPSET_21 OPSET_19 " u4 i4"
#define OPSET_25 OPSET_21 " f4e2m1 f8e8m0 u2 i2"
  check_types("opset 4", "onnx.reshape f32[1] shape=[1] opset=4", false, OPSET_1);
  check_types("opset 12", "onnx.reshape f32[1] shape=[1] opset=12", false, OPSET_5);
  check_types("opset 18", "onnx.reshape f32[1] shape=[1] opset=18", false, OPSET_13);
  check_types("opset 20", "onnx.reshape f32[1] shape=[1] opset=20", false, OPSET_19);
  check_types("opset 22", "onnx.reshape f32[1] shape=[1] opset=22", false, OPSET_21);
  check_types("opset 23", "onnx.reshape f32[1] shape=[1] opset=23", false, OPSET_21 " f4e2m1");
  check_types("opset 24", "onnx.reshape f32[1] shape=[1] opset=24", false,
              OPSET_21 " f4e2m1 f8e8m0");
  check_types("opset 25", "onnx.reshape f32[1] shape=[1] opset=25", false, OPSET_25);
  check_types("newest", "onnx.reshape f32[1] shape=[1]", false, OPSET_25);
  check_types("reshape", "reshape f32[1] shape=[1]", false, OPSET_25 " u1");
  check_types("reshape", "reshape f32[1] shape=i64:1", true, "i64");
  check_types("openvino", "openvino.reshape f32[1] shape=[1]", false, OPSET_25 " u1");
  check_types("openvino", "openvino.reshape f32[1] shape=i64:1", true,
              "i2 i4 i8 i16 i32 i64 u1 u2 u4 u8 u16 u32 u64");
  check_types("static", "onednn.static_reshape f32[1] shape=[1]", false, "f32 f16 bf16");
  check_types("dynamic", "onednn.dynamic_reshape f32[1] shape=[1]", false, "f32 f16 bf16");
  check_types("dynamic", "onednn.dynamic_reshape f32[1] shape=i64:1", true, "i64 i32");
  check_types("paddle", "paddle.reshape f32[1] shape=[1]", false,
              "f16 f32 f64 i16 i32 i64 bool bf16");
  check_types("paddle", "paddle.reshape f32[1] shape=i32:1", true, "i32");
  check_types("transpose", "transpose f32[1]", false, OPSET_25 " u1");
  check_types("slice", "slice f32[1] starts=0 ends=1", false, OPSET_25 " u1");
}

int main(void) {
  run_cases(cases, sizeof cases / sizeof cases[0]);
  run_parts();
  run_questions();
  run_edges();
  run_names();
  run_types();
  for (int s = RSH_ok; s <= RSH_unsupported; s++) {
    bool is_others = s == RSH_bad_pattern || s == RSH_too_small || s == RSH_null_pointer ||
                     s == RSH_guard_failed;
    if (!is_seen[s] && !is_others) {
      printf("no case gives %s\n", rsh_status_name((rsh_status)s));
      failures++;
    }
  }
  return failures != 0;
}
