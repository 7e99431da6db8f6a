package io.sluice.orderlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Command;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ways of reading a record give the same. */
class PlainRecordTest {
  private static final int ROUNDS = 50_000;
  private static final String TOKEN = "7.0.AAAAAAAAAAAAAAAAAAAAAA";

  @Test
  void shouldReadWithoutAParserWhatThisBuildWrites() {
    // given
    OrderToken token = OrderToken.parse(TOKEN).orElseThrow();
    List<Command> commands =
        List.of(
            new Command.Reserve(Grants.of(token, "alice", 2, 5, 3, 1_000, 2_000), "trace-1"),
            new Command.Reserve(Grants.of(token, "bob", 1, 6, 3, 1_000, 1_000), null),
            new Command.Reserve(
                Grants.of(token, "carol", 1, 7, 3, 1_000, 1_000, 4, "cart|7"), "0a1b2c3d", null),
            new Command.Confirm(token),
            new Command.Refund(token));

    // when
    List<Command> read = PlainRecord.read(OrderLogCodec.encode(commands));

    // then
    assertThat(read).isEqualTo(commands);
  }

  @Test
  void shouldAgreeWithTheParserWhenBytesAreChanged() {
    Random random = new Random(5);
    int plain = 0;
    for (int i = 0; i < ROUNDS; i++) {
      // given
      byte[] record = changed(random, OrderLogCodec.encode(Commands.random(random, 1)));

      // when
      List<Command> read = PlainRecord.read(record);

      // then
      if (read != null) {
        plain++;
        assertThat(new Decoded(true, read)).isEqualTo(new RecordReader(record).read());
      }
    }
    assertThat(plain).as("changes that leave a plain record").isPositive();
  }

  /** One byte replaced by one that is likely there, dropped, or doubled. */
  private static byte[] changed(Random random, byte[] record) {
    String likely = "0123456789{}[],:\"\\ .-_aZ\u00e9";
    int at = random.nextInt(record.length);
    byte[] changed = record.clone();
    switch (random.nextInt(3)) {
      case 0 -> changed[at] = (byte) likely.charAt(random.nextInt(likely.length()));
      case 1 -> {
        System.arraycopy(record, at + 1, changed, at, record.length - at - 1);
        changed = Arrays.copyOf(changed, record.length - 1);
      }
      default -> {
        changed = Arrays.copyOf(record, record.length + 1);
        System.arraycopy(record, at, changed, at + 1, record.length - at);
      }
    }
    return changed;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{\"v\":1,\"commands\":[{\"type\":\"CONFIRM\",\"order_token\":\"TOKEN\"}]}",
        "{\"v\":2,\"commands\":[]}",
        "{\"v\":2, \"commands\":[{\"type\":\"CONFIRM\",\"order_token\":\"TOKEN\"}]}",
        "{\"v\":2,\"commands\":[{\"order_token\":\"TOKEN\",\"type\":\"CONFIRM\"}]}",
        "{\"v\":2,\"commands\":[{\"type\":\"CONFIRM\",\"order_token\":\"TOKEN\",\"new\":1}]}",
        "{\"v\":2,\"commands\":[{\"type\":\"SHIP\",\"order_token\":\"TOKEN\"}]}",
        "{\"v\":2,\"commands\":[{\"type\":\"CONFIRM\",\"order_token\":\"TOKEN\"}]}x",
        "{\"v\":2,\"commands\":[{\"type\":\"CONFIRM\",\"order_token\":\"TOKEN\"},]}",
        "{\"v\":4,\"commands\":[{\"type\":\"REFUND_PART\",\"order_token\":\"TOKEN\","
            + "\"step\":\"COMPLETE\",\"refund_id\":\"r\",\"qty\":0,\"sku_id\":8}]}",
      })
  void shouldLeaveToTheParserWhatIsOfAnotherForm(String record) {
    assertThat(PlainRecord.read(record.replace("TOKEN", TOKEN).getBytes(UTF_8))).isNull();
  }
}
