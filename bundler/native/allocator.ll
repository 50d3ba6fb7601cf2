; What numba's runtime does for arrays that a kernel allocates, over the C library's malloc.
;
; An array's memory is headed by numba's NRT_MemInfo (numba/core/runtime/nrt.cpp): how many references
; there are, the function to call at the end, its argument, where the data is, the data's size, the
; allocator. Compiled code reads the data's address, counts the references itself, and calls
; NRT_MemInfo_call_dtor when none is left.

%meminfo = type { i64, ptr, ptr, ptr, i64, ptr }

declare noalias ptr @malloc(i64)
declare void @free(ptr)

; The head's 48 bytes and malloc's own alignment keep the data aligned for every type of number.
define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %alignment) {
  %total = add i64 %size, 48
  %info = call ptr @malloc(i64 %total)
  %failed = icmp eq ptr %info, null
  br i1 %failed, label %done, label %fill
fill:
  store %meminfo { i64 1, ptr null, ptr null, ptr null, i64 0, ptr null }, ptr %info
  %data = getelementptr %meminfo, ptr %info, i32 1
  %data_at = getelementptr %meminfo, ptr %info, i32 0, i32 3
  store ptr %data, ptr %data_at
  %size_at = getelementptr %meminfo, ptr %info, i32 0, i32 4
  store i64 %size, ptr %size_at
  br label %done
done:
  ret ptr %info
}

define void @NRT_MemInfo_call_dtor(ptr %info) {
  call void @free(ptr %info)
  ret void
}
