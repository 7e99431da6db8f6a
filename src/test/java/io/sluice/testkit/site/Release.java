package io.sluice.testkit.site;

import io.sluice.testkit.process.ChildMaven;
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
    return KeptBuild.of(ChildMaven.keptCommit()).release();
  }

  /** The last build before 1.0, {@code old.commit} in {@code pom.xml}; likewise. */
  static Release beforeBaseline() {
    return KeptBuild.of(ChildMaven.oldCommit()).release();
  }
}
