// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels in Go, by cgo: two that reshapec compiled to pictures.syso, and one that the library compiles while the program
// runs.
package main

/*
#include "pictures.h"
#include <reshapec.h>
#include <stdlib.h>

// Go passes pointers to its memory as arguments, not within an array.
static int call(reshapec_kernel *kernel, const void *x, void *y) {
  reshapec_argument argument[2];
  argument[0].input = x;
  argument[1].output = y;
  return kernel(argument);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"
)

func toPlanes(h, w int, photo []byte) ([]byte, error) {
	if len(photo) != h*w*3 || len(photo) == 0 {
		return nil, fmt.Errorf("%d bytes are not a picture of %d by %d pixels", len(photo), h, w)
	}
	y := make([]byte, len(photo))
	status := C.planes(C.int64_t(h), C.int64_t(w), (*C.uint8_t)(&photo[0]), (*C.uint8_t)(&y[0]))
	if status != C.RSH_ok {
		return nil, errors.New(C.GoString(C.reshapec_call_status_text(C.int(status))))
	}
	return y, nil
}

func toThumbnail(photo *[224 * 224 * 3]byte) (y [28 * 28 * 3]byte) {
	C.thumbnail((*C.uint8_t)(&photo[0]), (*C.uint8_t)(&y[0]))
	return y
}

// Kernel is the first graph of a text, compiled for this processor.
type Kernel struct {
	handle   *C.reshapec
	function *C.reshapec_kernel
}

// Compile gives the messages of the compiler, if the text has a mistake.
func Compile(text string) (*Kernel, error) {
	k := &Kernel{}
	name, source := C.CString("main.go"), C.CString(text)
	defer C.free(unsafe.Pointer(name))
	defer C.free(unsafe.Pointer(source))
	if C.reshapec_open(nil, nil, &k.handle) != C.RESHAPEC_OK {
		return nil, errors.New("out of memory")
	}
	if C.reshapec_read_text(k.handle, name, source, C.size_t(len(text))) != C.RESHAPEC_OK ||
		C.reshapec_load(k.handle, 0, &k.function) != C.RESHAPEC_OK {
		defer k.Close()
		return nil, errors.New(C.GoString(C.reshapec_messages_text(k.handle)))
	}
	return k, nil
}

// Close gives the code back.
func (k *Kernel) Close() { C.reshapec_close(k.handle) }

func main() {
	planes, err := toPlanes(2, 2, []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
	if err != nil {
		panic(err)
	}
	fmt.Println("planes    ", planes)

	var photo [224 * 224 * 3]byte
	for i := range photo {
		photo[i] = byte(i / 3 / 8)
	}
	small := toThumbnail(&photo)
	fmt.Println("thumbnail ", small[:9], "...")

	flip, err := Compile("graph flip(x: u16[5]) -> y { y = x[::-1] }")
	if err != nil {
		panic(err)
	}
	defer flip.Close()
	x, y := []uint16{1, 2, 3, 4, 5}, make([]uint16, 5)
	if status := C.call(flip.function, unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])); status != 0 {
		panic(status)
	}
	fmt.Println("flip      ", y)

	_, err = Compile("graph wrong(x: u16[5]) -> y { y = reshape(x, [2, 3]) }")
	fmt.Println("mistake   ", strings.SplitN(err.Error(), "\n", 2)[0])
}
