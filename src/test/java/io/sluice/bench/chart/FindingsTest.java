package io.sluice.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.chart.Comparison.Kind;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the charts of a report say. */
class FindingsTest {
  private static final String SETTING =
      "2 processors for everything: generator (512 connections), MariaDB. 5 runs of 4 s a row.\n\n";

  private static final String GRANTS =
      """
      | 2 | durable grants | at least 0.4 | **0.43** | 0.40 | 0.47 | reached |

      ## durable grants

      | figure | median | min | max |
      |---|---|---|---|
      | bare POST/s | 82,325 | 70,410 | 86,030 |
      | durable grants/s | 36,698 | 28,860 | 38,730 |
      | bare p99 us | 16,694 | | |
      | grants p99 us | 38,458 | 32,200 | 80,000 |

      while granting: 40.4 us of CPU time per order (service 24.1, Redis 8.3, Kafka 5.0, MySQL 3.0)

      """;

  private static final String REFUSALS =
      """
      | 1 | refusals | at least 0.9 | **0.89** | 0.81 | 1.04 | not reached |

      ## refusals

      | bare POST/s | 89,773 | 78,960 | 94,560 |
      | refusals/s | 78,194 | 74,250 | 84,510 |

      """;

  @Test
  void shouldSetRatesBesideABareServer() {
    // when
    Chart chart = charts(GRANTS + REFUSALS).get("throughput.svg");

    // then
    assertThat(chart.title())
        .isEqualTo("Durable grants run at 0.43 of a server that does nothing, refusals at 0.89");
    assertThat(chart.subtitle().get(1))
        .isEqualTo(
            "Medians of 5 runs, lines from smallest to largest. 512 connections, 2 processors for"
                + " everything.");
    assertThat(names(chart))
        .containsExactly(
            "bare server beside grants",
            "durable grants",
            "bare server beside refusals",
            "refusals");
  }

  @Test
  void shouldSpeakOfOneRowWhereOnlyThatWasMeasured() {
    // when
    Map<String, Chart> charts = charts(REFUSALS);

    // then
    assertThat(charts).containsOnlyKeys("throughput.svg");
    assertThat(charts.get("throughput.svg").title())
        .isEqualTo("Refusals run at 0.89 of a server that does nothing");
  }

  @Test
  void shouldKeepItsOwnChartWhenItWasMeasuredOnMysql() {
    // when
    Map<String, Chart> charts =
        Findings.of(new KeptReport(SETTING.replace("MariaDB", "MySQL 9.7.0") + REFUSALS));

    // then
    assertThat(charts).containsOnlyKeys("throughput-mysql.svg");
    assertThat(charts.get("throughput-mysql.svg").title())
        .isEqualTo("Refusals run at 0.89 of a server that does nothing, on MySQL");
  }

  @Test
  void shouldCountTheGoalsAndNameWhatFallsShort() {
    // when
    Chart chart = charts(GRANTS + REFUSALS).get("goals-answers.svg");

    // then
    assertThat(chart.title())
        .isEqualTo("Answering buyers reaches 1 of 2 goals, not that of refusals (0.89)");
    assertThat(chart.bars().get(1).value().median()).isEqualTo(0.89 / 0.9);
    assertThat(chart.bars().get(1).label()).isEqualTo("0.89, goal at least 0.9");
  }

  @Test
  void shouldTakeARatioThatIsToBeSmallTheOtherWayRound() {
    // given
    String latency =
        "| 5 | p99 of durable grants | at most 5 | **2.00** | 1.00 | 2.50 | reached |\n";

    // when
    Chart chart = charts(GRANTS + latency).get("goals-answers.svg");

    // then
    assertThat(chart.bars().get(1).value()).isEqualTo(new Span(2.5, 2, 5));
  }

  @Test
  void shouldGiveLatenciesAnAxisOfTheirOwn() {
    // when
    Chart chart = charts(GRANTS).get("latency-full-load.svg");

    // then
    assertThat(chart.title())
        .isEqualTo("At full load 99 in 100 buyers hear of durable grants within 38.5 milliseconds");
    assertThat(chart.bars()).extracting(Bar::unit).containsOnly(Unit.MILLISECONDS);
    assertThat(chart.bars().get(0).value())
        .as("of which only the median is known")
        .isEqualTo(Span.of(16_694 / 1e3));
  }

  @Test
  void shouldSplitProcessorTimeByProcess() {
    // when
    Chart chart = charts(GRANTS).get("processor-time.svg");

    // then
    assertThat(chart.title())
        .isEqualTo("A durable grant costs 40.4 microseconds of processor time");
    assertThat(chart.bars().get(0).partNames())
        .containsExactly("service", "Redis", "Kafka", "MariaDB");
  }

  @Test
  void shouldSetThisBuildBesideAnOlderOne() {
    // given
    String report =
        """
        | 2 | beside the baseline: grants | at least 0.97 | **1.05** | 0.94 | 1.10 | reached |

        ## beside the baseline: grants

        | baseline: bare POST/s | 78,942 | 76,432 | 86,914 |
        | baseline: durable grants/s | 29,984 | 28,794 | 33,165 |
        | bare POST/s | 73,261 | 69,595 | 83,926 |
        | durable grants/s | 29,871 | 25,058 | 31,828 |

        baseline: granting: 45.0 us of CPU time per order (service 40.0, Redis 5.0)
        granting: 42.0 us of CPU time per order (service 37.0, Redis 5.0)
        granting: 52.0 us of CPU time per order (service 47.0, Redis 5.0)
        granting: 43.0 us of CPU time per order (service 38.0, Redis 5.0)
        """;

    // when
    Map<String, Chart> charts = charts(report);

    // then
    assertThat(charts).containsOnlyKeys("baseline-grants.svg", "baseline-processor-time.svg");
    assertThat(charts.get("baseline-grants.svg").title())
        .isEqualTo("Durable grants run at 1.05 times the older build");
    assertThat(names(charts.get("baseline-grants.svg")))
        .startsWith("older build: durable grants", "this build: durable grants");
    assertThat(charts.get("baseline-processor-time.svg").title())
        .isEqualTo(
            "A durable grant costs 43 microseconds of processor time, 45 in the older build");
    assertThat(charts.get("baseline-processor-time.svg").bars().get(1).value())
        .isEqualTo(new Span(43, 42, 52));
  }

  @Test
  void shouldSetWholeLivesAndABacklogBesideAnOlderBuildAlone() {
    // given
    String report =
        """
        | 3 | beside the baseline: a backlog | at least 0.97 | **1.83** | 1.70 | 1.90 | reached |
        | 11 | beside the baseline: lives | at least 0.97 | **3.10** | 2.90 | 3.30 | reached |

        ## beside the baseline: a backlog

        | baseline: booked/s, from a backlog | 12,000 | 11,000 | 13,000 |
        | booked/s, from a backlog | 22,000 | 21,000 | 23,000 |

        ## beside the baseline: lives

        | baseline: whole lives/s | 1,000 | 900 | 1,100 |
        | whole lives/s | 3,100 | 3,000 | 3,200 |

        baseline: whole lives: 400.0 us of CPU time per order (service 140.0, MySQL 260.0)
        whole lives: 130.0 us of CPU time per order (service 50.0, MySQL 80.0)
        """;

    // when
    Map<String, Chart> charts = charts(report);

    // then
    assertThat(charts)
        .containsOnlyKeys(
            "baseline-backlog-of-a-service.svg",
            "baseline-lives.svg",
            "baseline-processor-time-lives.svg");
    assertThat(charts.get("baseline-lives.svg").title())
        .isEqualTo("Whole lives run at 3.10 times the older build");
    assertThat(names(charts.get("baseline-lives.svg")))
        .containsExactly("older build: whole lives", "this build: whole lives");
    assertThat(charts.get("baseline-processor-time-lives.svg").title())
        .isEqualTo("A whole life costs 130 microseconds of processor time, 400 in the older build");
  }

  @Test
  void shouldShowWholeLivesALargeLedgerAndARecoveryWhereThereIsNoOlderBuild() {
    // given
    String report =
        """
        | 11 | lives | at least 0.12 | **0.13** | 0.13 | 0.13 | reached |
        | 12 | a large ledger | at least 0.7 | **0.75** | 0.70 | 0.80 | reached |
        | 13 | recovery | at most 10 | **8.00** | 7.00 | 9.00 | reached |

        ## lives

        | whole lives/s | 3,100 | 3,000 | 3,200 |

        ## a large ledger

        | booked/s, empty ledger | 20,000 | 19,000 | 21,000 |
        | booked/s, large ledger | 15,000 | 14,000 | 16,000 |

        ## recovery

        | live SKU open again s | 2.50 | 2.40 | 2.60 |
        | large SKU open again s | 8.00 | 7.00 | 9.00 |
        """;

    // when
    Map<String, Chart> charts = charts(report);

    // then
    assertThat(charts.get("lives.svg").title()).isEqualTo("3,100 whole lives a second are held");
    assertThat(charts.get("large-ledger.svg").title())
        .isEqualTo("Bookings into a large ledger run at 0.75 of those into an empty one");
    assertThat(charts.get("recovery.svg").title())
        .isEqualTo(
            "Once Redis was emptied, the live SKU is open after 2.5 seconds, the large one after 8");
    assertThat(charts.get("recovery.svg").bars()).extracting(Bar::unit).containsOnly(Unit.SECONDS);
  }

  @Test
  void shouldSetSluiceBesideTheOtherSchemes() {
    // given
    String report =
        """
        | scheme | grants/s | a | b | c | d | units | yeses | loses |
        | Redis Lua alone | 32,277 | 0 | 0 | 0 | 0 | 0 | 0 | its last second |
        | database, conditional UPDATE | 1,985 | 0 | 0 | 0 | 0 | 0 | 0 | nothing |
        | DECR + SETNX on the remainder | 6,280 | 0 | 0 | 0 | 0 | 495 | 0 | the unit |
        | Sluice | 21,020 | 0 | 0 | 0 | 0 | 0 | 0 | nothing |
        """;

    // when
    Map<String, Chart> charts = charts(report);

    // then
    assertThat(charts.get("schemes-on-redis.svg").title())
        .isEqualTo("Sluice grants 0.65 of Redis alone, and a kill lost nothing");
    assertThat(names(charts.get("schemes-on-redis.svg")))
        .containsExactly(
            "Redis alone, nothing durable", "Sluice", "DECR and SETNX, a kill lost 495");
    assertThat(charts.get("schemes-on-the-database.svg").title())
        .isEqualTo("Sluice grants 10.6 times what the fastest scheme on the database does");
  }

  @ParameterizedTest
  @EnumSource
  void shouldHaveRoomForEachNameBesideThatOfTheBuild(Comparison comparison) {
    assertThat(List.of(comparison.words().ours(), comparison.words().other()))
        .filteredOn(name -> comparison.kind() != Kind.BOOKING || comparison == Comparison.BACKLOG)
        .allMatch(name -> ("older build: " + name).length() <= Bar.NAME_MAX);
  }

  private static Map<String, Chart> charts(String rows) {
    return Findings.of(new KeptReport(SETTING + rows));
  }

  private static List<String> names(Chart chart) {
    return chart.bars().stream().map(Bar::name).collect(Collectors.toList());
  }
}
