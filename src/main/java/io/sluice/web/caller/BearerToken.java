package io.sluice.web.caller;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The token of {@code Authorization: Bearer}. */
final class BearerToken {
  private static final String SCHEME = "Bearer ";

  private BearerToken() {}

  /** Null if the header is missing, of another scheme, or there more than once. */
  static @Nullable String of(HttpServerRequest request) {
    List<String> all = request.headers().getAll(HttpHeaders.AUTHORIZATION);
    if (all.size() != 1 || !all.get(0).regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return null;
    }
    return all.get(0).substring(SCHEME.length()).strip();
  }
}
