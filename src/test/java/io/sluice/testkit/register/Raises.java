package io.sluice.testkit.register;

import io.sluice.monitor.Alarm;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The alarms that this test provokes, by breaking what they watch: the test fails where one of them
 * is not raised, by an instance of its site or in this process. Each alarm is named by one test.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RaisesCheck.class)
public @interface Raises {
  /** The alarms. */
  Alarm[] value();
}
