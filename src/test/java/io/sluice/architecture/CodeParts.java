package io.sluice.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.lang.AbstractClassesTransformer;
import com.tngtech.archunit.lang.ClassesTransformer;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Set;
import java.util.stream.Collectors;

/** The parts of the code that rules look at. */
final class CodeParts {
  private CodeParts() {}

  /** The packages that contain at least one class. */
  static ClassesTransformer<JavaPackage> packages() {
    return new AbstractClassesTransformer<>("packages") {
      @Override
      public Set<JavaPackage> doTransform(JavaClasses classes) {
        return classes.stream().map(JavaClass::getPackage).collect(Collectors.toSet());
      }
    };
  }

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
