package io.sluice.testkit.site;

import java.util.Map;

/** A release of the service, of which sites start instances. */
@FunctionalInterface
public interface Release {
  /** An instance that is not started yet. */
  SluiceProcess instance(String name, Map<String, String> settings, HttpCaller caller);

  /** The compiled classes. */
  static Release present() {
    return SluiceProcess::ofClasses;
  }

  /** The release before, {@code kept.commit} in {@code pom.xml}; it is built at its first use. */
  static Release kept() {
    return KeptBuild.ofPom().release();
  }
}
