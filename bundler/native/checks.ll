; What the entries of all kernels share: they check the arguments that Python passes, and raise.
; Where numpy keeps the fields of an array: entries.py.

@ndarray_type = external global i8
declare ptr @PyObject_CallFunction(ptr, ptr, ...)
declare ptr @PyErr_Occurred()
declare ptr @Py_BuildValue(ptr, ...)
declare ptr @PyBool_FromLong(i64)
declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr)
declare i64 @PyLong_AsUnsignedLongLongMask(ptr)
declare ptr @PyLong_FromUnsignedLongLong(i64)
declare i32 @PyObject_RichCompareBool(ptr, ptr, i32)
declare void @Py_DecRef(ptr)
declare double @PyFloat_AsDouble(ptr)
declare i32 @PyObject_IsTrue(ptr)
declare i64 @PyType_GetFlags(ptr)
declare i64 @PyTuple_Size(ptr)
declare ptr @PyTuple_GetItem(ptr, i64)

@fail_format = internal constant [3 x i8] c"zi\00"

; An entry runs once where its kernel runs a million times: what counts is its size.
attributes #99 = { minsize optsize }

; Raise what a kernel says, or that an argument does not fit.
define internal void @fail(ptr %self, ptr %exception, i32 %argument) #99 {
  %none = call ptr (ptr, ptr, ...)
      @PyObject_CallFunction(ptr %self, ptr @fail_format, ptr %exception, i32 %argument)
  ret void
}

; Whether the parts of the arguments, tuples and their fields among them, are of the wanted kinds;
; puts them into objects, and fails otherwise. n: how many parts, -1 where there are not as many
; arguments as wanted. kinds: entries.py, kind_of.
define internal i1 @fit(
    ptr %self, ptr %arguments, i64 %n, ptr %kinds, ptr %objects) #99 {
  %count_fits = icmp sge i64 %n, 0
  br i1 %count_fits, label %next, label %no

next:
  %i = phi i64 [ 0, %0 ], [ %after, %found ], [ %after, %sized ], [ %after, %array ]
  %ended = icmp eq i64 %i, %n
  br i1 %ended, label %yes, label %each

each:
  %after = add i64 %i, 1
  %kind_at = getelementptr [7 x i32], ptr %kinds, i64 %i
  %kind = load [7 x i32], ptr %kind_at
  %dimensions = extractvalue [7 x i32] %kind, 0
  %number = extractvalue [7 x i32] %kind, 1
  %tuple_number = extractvalue [7 x i32] %kind, 4
  %place = extractvalue [7 x i32] %kind, 5
  %told = extractvalue [7 x i32] %kind, 6
  %loose = icmp slt i32 %tuple_number, 0
  br i1 %loose, label %argument, label %field

argument:
  %argument_at = getelementptr ptr, ptr %arguments, i32 %place
  %argument_found = load ptr, ptr %argument_at
  br label %found

field:
  %tuple_at = getelementptr ptr, ptr %objects, i32 %tuple_number
  %tuple = load ptr, ptr %tuple_at
  %place_64 = zext i32 %place to i64
  %field_found = call ptr @PyTuple_GetItem(ptr %tuple, i64 %place_64)
  br label %found

found:
  %object_found = phi ptr [ %argument_found, %argument ], [ %field_found, %field ]
  %object_at = getelementptr ptr, ptr %objects, i64 %i
  store ptr %object_found, ptr %object_at
  %scalar = icmp eq i32 %dimensions, -1
  br i1 %scalar, label %next, label %typed

typed:
  %type_at = getelementptr i8, ptr %object_found, i64 8
  %type = load ptr, ptr %type_at
  %tuple_wanted = icmp eq i32 %dimensions, -2
  br i1 %tuple_wanted, label %sequence, label %object

sequence:
  %type_flags = call i64 @PyType_GetFlags(ptr %type)
  %tuple_flag = and i64 %type_flags, 67108864 ; Py_TPFLAGS_TUPLE_SUBCLASS
  %is_tuple = icmp ne i64 %tuple_flag, 0
  br i1 %is_tuple, label %sized, label %no

sized:
  %length = call i64 @PyTuple_Size(ptr %object_found)
  %wanted_length = zext i32 %number to i64
  %length_fits = icmp eq i64 %length, %wanted_length
  br i1 %length_fits, label %next, label %no

object:
  %type_fits = icmp eq ptr %type, @ndarray_type
  br i1 %type_fits, label %array, label %no

array:
  %dimensions_at = getelementptr i8, ptr %object_found, i64 24
  %dimensions_found = load i32, ptr %dimensions_at
  %dimensions_fit = icmp eq i32 %dimensions_found, %dimensions
  %descriptor_at = getelementptr i8, ptr %object_found, i64 56
  %descriptor = load ptr, ptr %descriptor_at
  %order_at = getelementptr i8, ptr %descriptor, i64 26
  %order = load i8, ptr %order_at
  %order_fits = icmp ne i8 %order, 62 ; ">"
  %number_at = getelementptr i8, ptr %descriptor, i64 28
  %number_found = load i32, ptr %number_at
  %is_number = icmp eq i32 %number_found, %number
  %same = extractvalue [7 x i32] %kind, 2
  %is_same = icmp eq i32 %number_found, %same
  %number_fits = or i1 %is_number, %is_same
  %flags_at = getelementptr i8, ptr %object_found, i64 64
  %flags_found = load i32, ptr %flags_at
  %flags = extractvalue [7 x i32] %kind, 3
  %flags_kept = and i32 %flags_found, %flags
  %flags_fit = icmp eq i32 %flags_kept, %flags
  %fit_1 = and i1 %dimensions_fit, %order_fits
  %fit_2 = and i1 %number_fits, %flags_fit
  %fit = and i1 %fit_1, %fit_2
  br i1 %fit, label %next, label %no

yes:
  ret i1 true

no:
  %wrong = phi i32 [ 0, %0 ], [ %told, %sequence ], [ %told, %sized ], [ %told, %object ],
      [ %told, %array ]
  call void @fail(ptr %self, ptr null, i32 %wrong)
  ret i1 false
}

; An integer of Python as one of low, low + 1, ... low + span.
define internal i64 @integer(
    ptr %self, ptr %object, i32 %argument, i64 %low, i64 %span) #99 {
  %overflow_at = alloca i32
  %value = call i64 @PyLong_AsLongLongAndOverflow(ptr %object, ptr %overflow_at)
  %overflow = load i32, ptr %overflow_at
  %within_64_bits = icmp eq i32 %overflow, 0
  %from_low = sub i64 %value, %low
  %within_span = icmp ule i64 %from_low, %span
  %fits = and i1 %within_64_bits, %within_span
  br i1 %fits, label %done, label %no
no:
  call void @overflow(ptr %self, i32 %argument)
  br label %done
done:
  ret i64 %value
}

; The same of one of 64 bits without a sign.
define internal i64 @unsigned(ptr %self, ptr %object, i32 %argument) #99 {
  %value = call i64 @PyLong_AsUnsignedLongLongMask(ptr %object)
  %again = call ptr @PyLong_FromUnsignedLongLong(i64 %value)
  %equal = call i32 @PyObject_RichCompareBool(ptr %again, ptr %object, i32 2) ; Py_EQ
  call void @Py_DecRef(ptr %again)
  %fits = icmp ne i32 %equal, 0
  br i1 %fits, label %done, label %no
no:
  call void @overflow(ptr %self, i32 %argument)
  br label %done
done:
  ret i64 %value
}

; Whether Python takes something for true.
define internal i64 @truth(ptr %object) #99 {
  %is_true = call i32 @PyObject_IsTrue(ptr %object)
  %wide = sext i32 %is_true to i64
  ret i64 %wide
}

; Say that an argument is too large, unless Python has said already what is wrong.
define internal void @overflow(ptr %self, i32 %argument) #99 {
  %error = call ptr @PyErr_Occurred()
  %unsaid = icmp eq ptr %error, null
  br i1 %unsaid, label %say, label %said
say:
  %negative = sub i32 0, %argument
  call void @fail(ptr %self, ptr null, i32 %negative)
  br label %said
said:
  ret void
}
