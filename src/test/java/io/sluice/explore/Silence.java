package io.sluice.explore;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Turns off logging of the explored code, which meets faults all the time. */
final class Silence implements BeforeAllCallback, AfterAllCallback {
  private static final List<String> LOUD =
      List.of("io.sluice.owner", "io.sluice.grant", "io.sluice.ledger", "io.sluice.orderlog");

  @Override
  public void beforeAll(ExtensionContext context) {
    LOUD.forEach(name -> logger(name).setLevel(Level.OFF));
  }

  @Override
  public void afterAll(ExtensionContext context) {
    LOUD.forEach(name -> logger(name).setLevel(null));
  }

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger(name);
  }
}
