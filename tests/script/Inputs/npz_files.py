# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts that read and write .npz archives, compared with numpy and zipfile.
usage: npz_files.py RESHAPEC FOLDER"""
import io
import os
import struct
import zipfile
import zlib

import numpy as np
from scripts import done, in_folder, refused, same, warned

COPY = 'for n in names("in.npz") { load("in.npz", n) |> save("out.npz", n) }'


def arrays():
    random = np.random.default_rng(1)
    made = {f"of {t}": random.integers(0, 2, (3, 5)).astype(t) for t in "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split()}
    made |= {"none": np.zeros((0, 3), "f4"), "one": np.array(3.5), "p\u00e9/q": np.arange(7), "text": np.array(["a", "b\u00e9c"])}
    return made | {"fortran": np.asfortranarray(random.random((4, 6))), "big": np.arange(5, dtype=">i4"), "large": np.arange(400000)}


def read_and_written():
    """All types, names, orders of axes and bytes, stored and deflated."""
    for save in (np.savez, np.savez_compressed):
        save("in.npz", **arrays())
        done(COPY)
        made = np.load("out.npz")
        assert set(made.files) == set(arrays())
        for name, array in arrays().items():
            wanted = np.ascontiguousarray(array).reshape(array.shape)
            assert same(made[name], wanted.astype(wanted.dtype.newbyteorder("="))), name
    assert zipfile.ZipFile("out.npz").testzip() is None


def computed():
    np.savez("in.npz", x=np.arange(24, dtype="f4").reshape(4, 6), y=np.ones(3))
    warned(
        'x = load("in.npz", "x")\nload("in.npz", "y") |> save("y.npy")\nsave(transpose(x), "in.npz", "t")\nsave(x[1:3], "in.npz", "part")',
        "warning: 'in.npz' is replaced, and 2 of its 2 tensors are not in the new file, such as 'x'",
    )
    made, x = np.load("in.npz"), np.arange(24, dtype="f4").reshape(4, 6)
    assert sorted(made.files) == ["part", "t"] and same(made["t"], np.ascontiguousarray(x.T)) and same(made["part"], x[1:3])
    assert same(np.load("y.npy"), np.ones(3))


def mapped():
    """Arrays that we write begin at multiples of 64, so what is taken of one is all that is read."""
    done('arange(300000) |> save("ours.npz", "a")\nzeros([3], u8) |> save("ours.npz", "b")\narange(300000) |> save("ours.npz", "c")')
    with zipfile.ZipFile("ours.npz") as archive, open("ours.npz", "rb") as file:
        for member in archive.infolist():
            file.seek(member.header_offset + 26)
            assert (member.header_offset + 30 + sum(struct.unpack("<HH", file.read(4)))) % 64 == 0
    assert done('print(load("ours.npz", "c")[-2:])') == "i64[2]\n[299998 299999]\n"


def wide():
    """Members with 64-bit sizes, as numpy writes them."""
    with zipfile.ZipFile("in.npz", "w") as archive:
        for i in range(3):
            with archive.open(f"a{i}.npy", "w", force_zip64=True) as file:
                np.save(file, np.arange(i + 1))
        archive.writestr("readme.txt", "no array")
        archive.comment = b"PK\5\6" * 9
    assert done('print(names("in.npz"), load("in.npz", "a2"))') == '["a0", "a1", "a2"] i64[3]\n[0 1 2]\n'


def limited(most, **members):
    """An archive as zipfile writes it if no more than `most` fits 32 bits. Its end of 32 bits refers to that of 64."""
    least, zipfile.ZIP64_LIMIT = zipfile.ZIP64_LIMIT, most
    made = archive(**members)
    zipfile.ZIP64_LIMIT = least
    return patched(made, len(made) - 14, "<HHII", 2**16 - 1, 2**16 - 1, 2**32 - 1, 2**32 - 1)


def far():
    """Entries and ends of 64 bits, as archives of 4 GiB have them; some of their numbers fit 32 bits."""
    arrays = {"a": npy(np.arange(3)), "b": npy(np.arange(300))}
    for most in (0, 10, 100, 300, 1000):
        with open("in.npz", "wb") as file:
            file.write(limited(most, **arrays))
        assert same(np.load("in.npz")["b"], np.arange(300))
        assert done('print(names("in.npz"), load("in.npz", "b")[-2:])') == '["a", "b"] i64[2]\n[298 299]\n'
    good = limited(0, **arrays)
    end, locator, record = len(good) - 22, len(good) - 42, len(good) - 98
    entry = good.rindex(b"PK\1\2")
    extra = entry + 46 + len("b.npy")
    wrong(patched(good, locator, "<I", 0), "its entries are not where its end record says")
    wrong(patched(good, locator + 8, "<Q", end - 75), "its end record does not say where its entries are")
    wrong(patched(good, locator + 8, "<Q", 2**63), "its end record does not say where its entries are")
    wrong(patched(good, record, "<I", 0), "its end record does not say where its entries are")
    wrong(patched(good, record + 48, "<Q", 2**63), "its entries are not where its end record says")
    wrong(patched(good, extra + 2, "<H", 23), "a member is not where its entry says")
    wrong(patched(good, extra + 2, "<H", 25), "a member is not where its entry says")
    wrong(patched(good, extra, "<H", 7), "a member is not where its entry says")
    wrong(patched(good, extra + 20, "<Q", 2**63), "a member is not where its entry says")


def many():
    """As many members as fit an end of 32 bits, and one more."""
    for count in 65535, 65536:
        with zipfile.ZipFile("in.npz", "w") as made:
            for i in range(count - 1):
                made.writestr(str(i), b"")
            made.writestr("a.npy", npy(np.arange(5)))
        assert done('print(names("in.npz"), load("in.npz", "a"))') == '["a"] i64[5]\n[0 1 2 3 4]\n'


def empty():
    np.savez("none.npz")
    assert done('print(names("none.npz"))') == "[]\n"


def mistakes():
    np.savez("two.npz", a=np.ones(3), bb=np.ones(2))
    refused('x = load("two.npz")', 'contains named tensors: write load("two.npz", "a")')
    refused('x = load("two.npz", "b")', "has no tensor 'b'")
    refused('save(arange(3), "x.npz")', 'save(x, "x.npz", "NAME")')
    refused('for i in range(2) { save(arange(3), "x.npz", "n") }', "it already has a tensor 'n'")
    refused('save(arange(3), "x.npz", "n", "Q4_0")', "only .gguf files take another type")
    refused('save(arange(3), "x.npz", "n")\nassert(false)', "assertion failed")
    assert not os.path.exists("x.npz")


def wrong(data, text, name="a"):
    with open("bad.npz", "wb") as file:
        file.write(data)
    refused(f'x = load("bad.npz", "{name}")\nprint(x)', text)


def archive(method=zipfile.ZIP_STORED, **members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as made:
        for name, data in members.items():
            made.writestr(name + ".npy", data)
    return bytearray(out.getvalue())


def patched(data, at, form, *values):
    data = bytearray(data)
    struct.pack_into(form, data, at, *values)
    return data


def npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def damaged():
    array = npy(np.arange(100))
    good, packed = archive(a=array), archive(zipfile.ZIP_DEFLATED, a=array)
    entry = good.rindex(b"PK\1\2")

    wrong(b"", "it is shorter than an end record")
    wrong(good[:-1], "it has no end record")
    wrong(good[:200] + bytes(len(good)), "it has no end record")
    wrong(patched(good, len(good) - 6, "<I", len(good)), "its entries are not where its end record says")
    wrong(patched(good, len(good) - 6, "<I", 2**32 - 1), "its entries are not where its end record says")
    wrong(patched(good, len(good) - 12, "<H", 9), "its entries are not where its end record says")
    wrong(patched(good, entry, "<I", 0), "an entry is cut off")
    wrong(patched(good, entry + 28, "<H", 999), "an entry is cut off")
    wrong(patched(good, entry + 20, "<II", 2**31, 2**31), "a member is not where its entry says")
    wrong(patched(good, entry + 42, "<I", 7), "a member is not where its entry says")
    wrong(patched(good, entry + 20, "<I", 2**32 - 1), "a member is not where its entry says")
    wrong(patched(good, entry + 24, "<I", 5), "a member is not where its entry says")
    wrong(patched(good, entry + 10, "<H", 12), "is neither stored nor deflated: pack it with numpy.savez")
    wrong(patched(good, entry + 8, "<H", 1), "is encrypted: pack it with numpy.savez")
    wrong(archive(a=array + b"x"), "takes 800 bytes, but the file has 801")
    wrong(archive(a=b"no array"), "not a .npy file")
    wrong(archive(zipfile.ZIP_DEFLATED, a=array[:-8]), "takes 800 bytes, but the file has 792")
    entry = packed.rindex(b"PK\1\2")
    wrong(patched(packed, entry + 16, "<I", zlib.crc32(array) ^ 1), "are damaged")
    wrong(patched(packed, entry + 24, "<I", 2**31), "are damaged")  # a size that these bytes cannot unpack to
    wrong(patched(packed, 40, "<I", 2**32 - 1), "are damaged")
    both = archive(a=array, b=array)
    wrong(both.replace(b"b.npy", b"a.npy"), "has two tensors 'a'")


in_folder(read_and_written, computed, mapped, wide, far, many, empty, mistakes, damaged)
