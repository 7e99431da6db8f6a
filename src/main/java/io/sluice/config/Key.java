package io.sluice.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A key, at the component of its section, which give it its name: {@code queueMax} in {@code http}
 * is {@code http.queue_max}. The type of its value is the component's.
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
@interface Key {
  /** How much of a value may be shown. */
  enum Shown {
    /** All of it. */
    PLAIN,
    /** Everything except the password, and nothing if it cannot be parsed. */
    URI,
    /** Nothing. */
    SECRET
  }

  /** The default, as in the environment. */
  String value() default "";

  /** Of a number. */
  int min() default 0;

  /** Of a number. */
  int max() default Integer.MAX_VALUE;

  /** The pattern of a whole text. */
  String form() default Patterns.ANY;

  /** Continues the sentence "must be" for a text. */
  String expected() default "text";

  Shown shown() default Shown.PLAIN;

  /** Whether it is a path of a PEM file with certificates, which is read at the start. */
  boolean certificates() default false;
}
