package io.sluice.admin;

import io.sluice.config.Config.TracingConfig;
import io.sluice.tracing.RecordedTraces;
import io.sluice.web.HttpProbe.Answer;
import java.util.Optional;

/** An order whose trace is recorded. */
final class TracedExample {
  private static final TracingConfig TRACING =
      new TracingConfig("http://c:1", "", 1, 1, 1, 512, "https://traces.example/{trace_id}");

  private TracedExample() {}

  static Answer show() {
    RecordedTraces traces = RecordedTraces.ofAll();
    try (AdminPortFixture port =
        AdminPortFixture.traced(AdminCalls.CONFIG, TRACING, traces).serving()) {
      port.stories.story = Optional.of(FakeStories.paid("pay-81"));
      return AdminCalls.of("getOrder").send(port, AdminCalls.OLGA);
    }
  }
}
