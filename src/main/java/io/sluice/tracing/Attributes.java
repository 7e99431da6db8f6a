package io.sluice.tracing;

/** The names of the attributes of spans. */
public final class Attributes {
  public static final String ORDER_TOKEN = "sluice.order_token";
  public static final String PARTITION = "sluice.partition";
  public static final String BUCKET = "sluice.bucket";
  public static final String BATCH_SIZE = "sluice.batch_size";
  public static final String LINKS_LEFT_OUT = "sluice.links_left_out";
  public static final String CALL = "sluice.call";
  public static final String ERROR_TYPE = "error.type";
  public static final String STATUS = "http.response.status_code";
  public static final String METHOD = "http.request.method";

  private Attributes() {}
}
