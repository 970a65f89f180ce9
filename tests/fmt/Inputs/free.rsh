#!/usr/bin/env -S reshapec run
# Spaces, newlines and signs as nobody would write them; the layout is in laid-out.rsh.
graph   g( x:f32[ 2,3 ] ,y : f32[B * S , -1+C / 2 , 4*N%6,?]layout "n c -> c n"strides [ 1,2]) -> ( a,b:f32[3] ) where N in[1,8],W%16==0{ # behind a header

  a,b=split( x ,axis = -1,parts=2 );b = x[ 2: 5,::-1,... , -3 ]   # the column of comments
  view cc = a - -1                                                # is that of the longest line
                                                                  # also where one goes on
  # before a statement
     in=onnx . reshape( in [ 1 ],strides )



  # after empty lines
  d = x  # inside
     |> f(   a, # a list
       # in its own line
       b )
    # between stages
     |> g()
  e = some_function(a_first_operand_of_some_length, a_second_operand_of_some_length, reshape(x, [1,2,3]), axis=1)
  e = x |> some_function(a_first_operand_of_some_length, a_second_operand_of_some_length) |> another_function( 1.5, [1,2,3])
  f = gather(x,[41, 19, 50, 6, 9, 12, 46, 7, 27, 4, 11, 55, 53, 8, 30, 11, 54, 7, 15, 28, 7, 50, 6, 28, 5, 17, 37, 53, 18])
  # before the end

} # behind a graph
graph in (x: f32[N]align 64 , y: f32[ - N ] strides[ 2 ]) -> (a,b) where - N < 3 , in in [1, 2]{
 a = align (x); b=strides [1]
}
graph short(x: f32[2]) -> y { a=x ; y = a }
graph short_too(x: f32[2])
  -> y { y = "größe;#" }
graph is_short_but_was_not(x: f32[2]) -> y {
  y=x}
graph a_result_below(x: u8[N, H, W, 3], another_parameter_of_the_graph: f32[3]) -> y: u8[N, 3, H, W] layout "n c h w -> n h w c" {
    y = (x)
}
graph conditions_below(x: u8[N, H, W, 3], another_parameter: f32[3]) -> y: u8[N, 3, H, W] where N in [1, 8], H <= 1080, W <= 1920, {
    y = (x,)
}
graph all_of_it(x: u8[N, H, W, 3], another_parameter_of_the_graph: f32[3], a_third_parameter_of_the_graph: f32[3]) -> (y: u8[N, 3, H, W], z) {
    y = x
}

import   "other.rsh" ; x=load( "in.npy" ,[ 2,3 ] )
y = x
  |> short()    # a script
save(y,args[ 0 ]); assert( shape(y)==[2 , 3] )
    print( some_function(a_first_operand_of_some_length, a_second_operand_of_some_length), another_function(axis = 1) )
# the end
