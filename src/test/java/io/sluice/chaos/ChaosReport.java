package io.sluice.chaos;

import io.sluice.chaos.fault.ChaosPlan;
import io.sluice.chaos.fault.FaultKind;
import io.sluice.chaos.fault.Recoveries;
import io.sluice.chaos.fault.Recovery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report of a run, as Markdown. */
record ChaosReport(
    ChaosPlan plan,
    String servers,
    long buyers,
    int fewestAtOnce,
    Map<String, Long> answers,
    List<Recovery> recoveries,
    Verdict verdict) {

  void write(Path file) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String text() {
    return head() + faults() + checks() + requests() + breaches();
  }

  private String head() {
    return """
    ## Chaos run, seed %d, %d s

    %s; two instances. %,d buyers (at most %d at once while processors were short), %,d requests, %d faults.

    """
        .formatted(
            plan.seed(),
            plan.length().toSeconds(),
            servers,
            buyers,
            fewestAtOnce,
            answers.values().stream().mapToLong(Long::longValue).sum(),
            recoveries.size());
  }

  private String faults() {
    var text =
        new StringBuilder(
            """
            | fault | times | recovered after, median (s) | worst (s) | of these alone | median (s) | worst (s) |
            |---|---|---|---|---|---|---|
            """);
    for (FaultKind kind : FaultKind.values()) {
      List<Recovery> all = of(kind);
      if (!all.isEmpty()) {
        text.append(row(kind, all, Recovery::recoveryMs));
      }
    }
    return text.append(
            """

            Recovered: from the end of the fault (a server answers again, an instance's JVM is
            launched) until each instance had granted, and each partition booked, an order placed after it.
            Alone: no other fault was active in that time; otherwise it includes the others' time.

            | hand-over: all partitions booked what the other instance granted | times | median (s) | worst (s) | of these alone | median (s) | worst (s) |
            |---|---|---|---|---|---|---|
            %s
            Checked for faults that were alone: %s.

            """
                .formatted(handedOver(), Recoveries.limits(plan.length())))
        .toString();
  }

  private String handedOver() {
    return Stream.of(FaultKind.values())
        .filter(FaultKind::endsInstance)
        .map(kind -> row(kind, of(kind), Recovery::takeoverMs))
        .collect(Collectors.joining());
  }

  private static String row(
      FaultKind kind, List<Recovery> all, Function<Recovery, OptionalLong> time) {
    List<Recovery> alone = all.stream().filter(Recovery::alone).toList();
    return "| %s | %d | %s | %d | %s |%n"
        .formatted(
            kind.words(),
            all.size(),
            Recovery.medianAndWorst(times(all.stream(), time)),
            alone.size(),
            Recovery.medianAndWorst(times(alone.stream(), time)));
  }

  private String checks() {
    var text = new StringBuilder("| check | looked at | breaches |\n|---|---|---|\n");
    for (Verdict.Check check : verdict.checks()) {
      text.append(
          "| %s | %s | %d |%n".formatted(check.promise(), check.looked(), check.breaches().size()));
    }
    return text.append('\n').toString();
  }

  private String requests() {
    var text = new StringBuilder("| request and answer | times |\n|---|---|\n");
    answers.forEach((what, times) -> text.append("| %s | %,d |%n".formatted(what, times)));
    return text.toString();
  }

  private String breaches() {
    return verdict.isSound()
        ? ""
        : "%nBreaches:%n```%n%s%n%s%n```%n".formatted(verdict.breaches(), plan.scenes());
  }

  private List<Recovery> of(FaultKind kind) {
    return recoveries.stream().filter(recovery -> recovery.kind() == kind).toList();
  }

  private static List<Long> times(
      Stream<Recovery> recoveries, Function<Recovery, OptionalLong> time) {
    return recoveries
        .map(time)
        .filter(OptionalLong::isPresent)
        .map(OptionalLong::getAsLong)
        .toList();
  }
}
