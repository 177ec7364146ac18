import * as fc from "fast-check";

/** The exact value of a JSON number; `undefined` when it has too many digits to compute. */
export function rational(literal: string): { numerator: bigint; denominator: bigint } | undefined {
  const [mantissa = "", exponent = "0"] = literal.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = BigInt(whole + fraction);
  if (digits === 0n) return { numerator: 0n, denominator: 1n };
  const scale = Number(exponent) - fraction.length;
  if (Math.abs(scale) > 5_000) return undefined;
  return scale < 0
    ? { numerator: digits, denominator: 10n ** BigInt(-scale) }
    : { numerator: digits * 10n ** BigInt(scale), denominator: 1n };
}

/** JSON number literals with at most about `length` digits on each side of the point. */
export function numberLiterals(length: number): fc.Arbitrary<string> {
  const digits = fc.string({ unit: fc.constantFrom(..."0001234567899"), maxLength: length });
  const edges = ["9007199254740991", "9007199254740993", "9223372036854775807", "9223372036854775808"];
  const whole = fc.oneof(
    digits.map((text) => text.replace(/^0*/, "") || "0"),
    fc.constantFrom(...edges),
  );
  const fraction = fc.oneof(
    fc.constant(""),
    digits.map((text) => `.${text}0`),
    digits.map((text) => `.${text}4`),
  );
  const power = fc.oneof(fc.nat(25), fc.nat(420), fc.constant(999_999_999));
  const exponent = fc.oneof(
    fc.constant(""),
    fc
      .tuple(fc.constantFrom("e", "E"), fc.constantFrom("", "+", "-", "-0", "00"), power)
      .map((parts) => parts.join("")),
  );
  const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value));
  const literal = fc.tuple(fc.constantFrom("", "-"), whole, fraction, exponent).map((parts) => parts.join(""));
  return fc.oneof({ weight: 4, arbitrary: literal }, { weight: 1, arbitrary: double });
}
