import { expect, test } from "vitest";
import { checkSigner } from "./index.ts";

test("K-04 a signer stays the same until a person accepts another", () => {
  expect(checkSigner({})).toEqual({ ok: true });
  expect(checkSigner({ current: "SHA256:a" })).toEqual({ ok: true });
  expect(checkSigner({ previous: "SHA256:a", current: "SHA256:a" })).toEqual({ ok: true });
  const other = checkSigner({ previous: "SHA256:a", current: "SHA256:b" });
  expect(other).toMatchObject({ ok: false, code: "signer-changed" });
  expect(!other.ok && other.message).toBe("the pack was signed by SHA256:a, now by SHA256:b");
  const none = checkSigner({ previous: "SHA256:a" });
  expect(none).toMatchObject({ ok: false, code: "signer-changed" });
  expect(!none.ok && none.message).toContain("not signed any more");
});
