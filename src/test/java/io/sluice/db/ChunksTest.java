package io.sluice.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.db.SqlSession.Chunks;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChunksTest {

  @Test
  void shouldRepeatTheLastItemWhenPadded() {
    // when
    List<List<Integer>> chunks = Chunks.padded(IntStream.range(0, 261).boxed().toList());

    // then
    assertThat(chunks).extracting(List::size).containsExactly(256, 8);
    assertThat(chunks.get(1)).containsExactly(256, 257, 258, 259, 260, 260, 260, 260);
    assertThat(Chunks.padded(List.of(1, 2))).containsExactly(List.of(1, 2));
    assertThat(Chunks.padded(List.of())).isEmpty();
  }

  @Test
  void shouldRepeatAnItemUntilThereAreEnough() {
    assertThat(Chunks.padded(List.of(1), 2)).containsExactly(List.of(1, 1));
    assertThat(Chunks.padded(List.of(1, 2, 3), 2)).containsExactly(List.of(1, 2, 3, 3));
    assertThat(Chunks.padded(List.of(), 2)).isEmpty();
  }
}
