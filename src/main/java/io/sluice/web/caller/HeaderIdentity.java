package io.sluice.web.caller;

import io.sluice.config.AuthConfig;
import io.sluice.config.value.Cidr;
import io.sluice.model.Limits;
import io.sluice.web.GuardedCall;
import io.sluice.web.problem.BadInputException;
import io.sluice.web.problem.Problem;
import io.sluice.web.problem.ProblemType;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the buyer by the header that a gateway sets; accepted only from a gateway's address.
 */
final class HeaderIdentity implements Identity {
  private final String headerName;
  private final CharSequence header;
  private final List<Cidr> gateways;
  private final Problem missing;
  private final Problem notTheGateway;

  /** Whether a connection is a gateway's. Cached, since its address never changes. */
  private final Map<HttpConnection, Boolean> verdicts = new WeakHashMap<>();

  HeaderIdentity(AuthConfig config) {
    this.headerName = config.userHeader();
    this.header = HttpHeaders.createOptimized(config.userHeader());
    this.gateways = config.trustedProxies();
    this.missing =
        Problem.of(
            ProblemType.UNAUTHORIZED,
            "Expected the header " + headerName + ", which the gateway sets, but it is missing");
    this.notTheGateway =
        Problem.of(
            ProblemType.UNAUTHORIZED,
            "Expected "
                + headerName
                + " from a gateway of auth.trusted_proxies, but the call comes from another"
                + " address");
  }

  @Override
  public @Nullable Problem refusal(GuardedCall call) {
    HttpServerRequest request = call.request();
    if (!request.headers().contains(header)) {
      return missing;
    }
    return isGateway(request.connection()) ? null : notTheGateway;
  }

  private boolean isGateway(HttpConnection connection) {
    Boolean known = verdicts.get(connection);
    if (known == null) {
      known = Cidr.anyContains(gateways, connection.remoteAddress().hostAddress());
      verdicts.put(connection, known);
    }
    return known;
  }

  /**
   * Reads the buyer's id. More than one header is refused: one of them might be set by the caller,
   * in addition to the gateway's.
   */
  @Override
  public String buyer(HttpServerRequest request) {
    List<String> users = request.headers().getAll(header);
    if (users.size() != 1 || !Limits.isUserId(users.get(0)) || Limits.isDots(users.get(0))) {
      throw new BadInputException(
          headerName,
          "Expected one "
              + headerName
              + " of 1 to "
              + Limits.USER_ID_MAX
              + " visible ASCII characters, not . or .., but got another");
    }
    return users.get(0);
  }
}
