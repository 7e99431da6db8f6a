package io.sluice.admin;

import io.sluice.model.Limits;
import io.sluice.web.Exchange;
import io.sluice.web.problem.BadInputException;

/** The id of a buyer in the path of a call. */
final class UserIdOfPath {
  private UserIdOfPath() {}

  /** Throws {@link BadInputException} where it is none. */
  static String read(Exchange exchange) {
    String userId = exchange.pathParam("user_id");
    if (!Limits.isUserId(userId)) {
      throw new BadInputException(
          "user_id",
          "Expected 1 to "
              + Limits.USER_ID_MAX
              + " characters of A-Z, a-z, 0-9 and _.@-, but got another");
    }
    return userId;
  }
}
