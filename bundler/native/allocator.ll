; What numba's runtime does for arrays that a kernel allocates, over the C library's malloc.
;
; An array's memory is headed by numba's NRT_MemInfo (numba/core/runtime/nrt.cpp): how many references
; there are, the function to call at the end, its argument, where the data is, the data's size, the
; allocator. Compiled code reads the data's address, counts the references itself, and calls
; NRT_MemInfo_call_dtor when none is left.

%meminfo = type { i64, ptr, ptr, ptr, i64, ptr }

declare noalias ptr @malloc(i64)
declare void @free(ptr)

define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %alignment) {
  %alignment64 = zext i32 %alignment to i64
  %slack = add i64 %alignment64, 48
  %total = add i64 %size, %slack
  %info = call ptr @malloc(i64 %total)
  %failed = icmp eq ptr %info, null
  br i1 %failed, label %done, label %fill

fill:
  ; The first address after the head that the alignment, a power of two, divides
  %head = ptrtoint ptr %info to i64
  %mask = sub i64 0, %alignment64
  %last = add i64 %alignment64, 47
  %end = add i64 %head, %last
  %aligned = and i64 %end, %mask
  %data = inttoptr i64 %aligned to ptr
  store i64 1, ptr %info
  %destructor_field = getelementptr %meminfo, ptr %info, i32 0, i32 1
  store ptr null, ptr %destructor_field
  %data_field = getelementptr %meminfo, ptr %info, i32 0, i32 3
  store ptr %data, ptr %data_field
  %size_field = getelementptr %meminfo, ptr %info, i32 0, i32 4
  store i64 %size, ptr %size_field
  br label %done

done:
  ret ptr %info
}

define void @NRT_MemInfo_call_dtor(ptr %info) {
  call void @free(ptr %info)
  ret void
}
