package io.sluice.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunksTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 7, 255, 256, 257, 500, 2_000})
  void shouldLoseNothingWhenCutExactly(int size) {
    // given
    List<Integer> items = IntStream.range(0, size).boxed().toList();

    // when
    List<List<Integer>> chunks = Chunks.exact(items);

    // then
    assertThat(chunks.stream().flatMap(List::stream)).containsExactlyElementsOf(items);
    assertThat(chunks).allSatisfy(chunk -> assertThat(Integer.bitCount(chunk.size())).isOne());
  }

  @Test
  void shouldCutInPowersOfTwoWhenExact() {
    // when
    List<List<Integer>> chunks = Chunks.exact(IntStream.range(0, 500).boxed().toList());

    // then
    assertThat(chunks).extracting(List::size).containsExactly(256, 128, 64, 32, 16, 4);
  }

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
}
