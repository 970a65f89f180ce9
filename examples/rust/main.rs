// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in Rust: two that reshapec compiled to photos.o, and one that the library compiles while the program runs.
mod reshapec;

use reshapec::{Argument, Kernel};
use std::os::raw::c_int;

// As photos.h declares them (reshapec photos.rsh --header photos.h).
extern "C" {
    fn planes(h: i64, w: i64, photo: *const u8, y: *mut u8) -> c_int;
    fn thumbnail(photo: *const u8, y: *mut u8);
}

fn to_planes(h: usize, w: usize, photo: &[u8]) -> Result<Vec<u8>, c_int> {
    assert_eq!(photo.len(), h * w * 3);
    let mut y = vec![0; photo.len()];
    match unsafe { planes(h as i64, w as i64, photo.as_ptr(), y.as_mut_ptr()) } {
        0 => Ok(y),
        status => Err(status),
    }
}

fn to_thumbnail(photo: &[u8; 224 * 224 * 3]) -> [u8; 28 * 28 * 3] {
    let mut y = [0; 28 * 28 * 3];
    unsafe { thumbnail(photo.as_ptr(), y.as_mut_ptr()) }
    y
}

fn main() -> Result<(), String> {
    println!("planes     {:?}", to_planes(2, 2, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]).unwrap());

    let mut photo = [0; 224 * 224 * 3];
    for (i, element) in photo.iter_mut().enumerate() {
        *element = (i / 3 / 8) as u8;
    }
    println!("thumbnail  {:?} ...", &to_thumbnail(&photo)[..9]);

    let flip = Kernel::compile("graph flip(x: u16[5]) -> y { y = x[::-1] }")?;
    let (x, mut y) = ([1u16, 2, 3, 4, 5], [0u16; 5]);
    let arguments = [Argument { input: x.as_ptr().cast() }, Argument { output: y.as_mut_ptr().cast() }];
    assert_eq!(unsafe { flip.call(&arguments) }, 0);
    println!("flip       {:?}", y);

    let mistake = Kernel::compile("graph wrong(x: u16[5]) -> y { y = reshape(x, [2, 3]) }").err().unwrap();
    println!("mistake    {}", mistake.lines().next().unwrap());
    Ok(())
}
