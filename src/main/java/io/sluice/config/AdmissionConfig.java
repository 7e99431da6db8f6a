package io.sluice.config;

/**
 * How much one caller, and all of them together, may ask of one instance; 0 turns a limit off.
 *
 * @param instancePerS calls per second
 * @param skuPerS orders per second of one SKU
 * @param buyerPerMinute orders of one buyer in any minute
 * @param addressPerMinute calls from one address in any minute
 */
public record AdmissionConfig(
    int instancePerS, int skuPerS, int buyerPerMinute, int addressPerMinute) {
  static final IntKey INSTANCE_PER_S = new IntKey("admission.instance_per_s", 0, 0, 10_000_000);
  static final IntKey SKU_PER_S = new IntKey("admission.sku_per_s", 0, 0, 10_000_000);
  static final IntKey BUYER_PER_MINUTE = new IntKey("admission.buyer_per_minute", 10, 0, 1_000);
  static final IntKey ADDRESS_PER_MINUTE =
      new IntKey("admission.address_per_minute", 0, 0, 10_000_000);

  public AdmissionConfig {
    INSTANCE_PER_S.check(instancePerS);
    SKU_PER_S.check(skuPerS);
    BUYER_PER_MINUTE.check(buyerPerMinute);
    ADDRESS_PER_MINUTE.check(addressPerMinute);
  }

  static AdmissionConfig read(Settings settings) {
    return new AdmissionConfig(
        settings.number(INSTANCE_PER_S),
        settings.number(SKU_PER_S),
        settings.number(BUYER_PER_MINUTE),
        settings.number(ADDRESS_PER_MINUTE));
  }
}
