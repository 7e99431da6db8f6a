package io.sluice.testkit.register;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The metrics of metrics.yaml that this test makes a running instance move: the test fails where
 * one of them does not. Each metric is named by one test.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(MovesCheck.class)
public @interface Moves {
  /** Their names. */
  String[] value();
}
