package io.sluice.architecture;

import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

/** Each package says that its values are not null. */
final class NullMarks {
  private NullMarks() {}

  static ArchCondition<JavaPackage> beNullMarked() {
    return new ArchCondition<>("have a package-info with @NullMarked") {
      @Override
      public void check(JavaPackage room, ConditionEvents events) {
        if (!room.isAnnotatedWith(NullMarked.class)) {
          events.add(
              SimpleConditionEvent.violated(
                  room, room.getName() + " has no package-info with @NullMarked"));
        }
      }
    };
  }
}
