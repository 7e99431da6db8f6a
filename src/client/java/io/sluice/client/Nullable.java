package io.sluice.client;

import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/** For NullAway; an annotation of its own, so that the jar needs no other. */
@Target(ElementType.TYPE_USE)
@interface Nullable {}
