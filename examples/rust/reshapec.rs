// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of reshapec.h that main.rs needs: compile a text, and call a graph of it.
use std::ffi::{CStr, CString};
use std::os::raw::{c_char, c_int, c_void};
use std::ptr;

#[repr(C)]
struct Handle {
    _private: [u8; 0],
}

/// A size, or a pointer to elements: one parameter of a kernel.
#[repr(C)]
#[derive(Clone, Copy)]
pub union Argument {
    pub size: i64,
    pub input: *const c_void,
    pub output: *mut c_void,
}

type Function = unsafe extern "C" fn(*const Argument) -> c_int;

#[link(name = "reshapec")]
extern "C" {
    fn reshapec_open(options: *const c_void, allocator: *const c_void, out: *mut *mut Handle) -> c_int;
    fn reshapec_close(handle: *mut Handle);
    fn reshapec_read_text(handle: *mut Handle, name: *const c_char, text: *const c_char, length: usize) -> c_int;
    fn reshapec_messages_text(handle: *mut Handle) -> *const c_char;
    fn reshapec_load(handle: *mut Handle, graph: c_int, out: *mut Option<Function>) -> c_int;
}

/// The first graph of a text, compiled for this processor.
pub struct Kernel {
    handle: *mut Handle,
    function: Function,
}

impl Kernel {
    /// The messages of the compiler, if the text has a mistake.
    pub fn compile(text: &str) -> Result<Kernel, String> {
        let name = CString::new("main.rs").unwrap();
        let mut handle = ptr::null_mut();
        let mut function = None;
        unsafe {
            if reshapec_open(ptr::null(), ptr::null(), &mut handle) != 0 {
                return Err("out of memory".to_string());
            }
            let good = reshapec_read_text(handle, name.as_ptr(), text.as_ptr().cast(), text.len()) == 0
                && reshapec_load(handle, 0, &mut function) == 0;
            match function {
                Some(function) if good => Ok(Kernel { handle, function }),
                _ => {
                    let messages = CStr::from_ptr(reshapec_messages_text(handle)).to_string_lossy().into_owned();
                    reshapec_close(handle);
                    Err(messages)
                }
            }
        }
    }

    /// # Safety
    /// The arguments are those of reshapec_get_parameter: sizes in their order, and memory for all elements.
    pub unsafe fn call(&self, arguments: &[Argument]) -> c_int {
        (self.function)(arguments.as_ptr())
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        unsafe { reshapec_close(self.handle) }
    }
}
