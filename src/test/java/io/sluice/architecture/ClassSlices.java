package io.sluice.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/** How classes are taken together when cycles are looked for. */
final class ClassSlices {
  private ClassSlices() {}

  /** A slice for each top-level class with its nested classes. */
  static SliceAssignment topLevelClasses() {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        return PackageRules.isOurs(type)
            ? SliceIdentifier.of(type.getName().replaceFirst("\\$.*", ""))
            : SliceIdentifier.ignore();
      }

      @Override
      public String getDescription() {
        return "top-level classes";
      }
    };
  }
}
