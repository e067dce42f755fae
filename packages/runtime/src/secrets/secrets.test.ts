import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSecrets } from "../internal/index.ts";

const ENV = {
  DB_PASSWORD: "hunter2hunter2",
  LONG_TOKEN: "hunter2hunter2-and-more",
  ODD_SECRET: "⟦secret:ODD_SECRET⟧ itself",
  EARLY_KEY: "secret:abcdefgh",
  TAIL_KEY: "cret:DB_PASSWORD⟧",
  SHORT_KEY: "1234567",
  HOME: "/home/somebody",
  DATABASE_URL: "postgres://me:correct-horse@db/x",
};

describe("known secrets", () => {
  it("D-11 the values of secret variables become placeholders, longest first", () => {
    const { hide } = createSecrets({ env: ENV, configured: { vault: "a configured one" } });
    expect(hide("p=hunter2hunter2; q=hunter2hunter2-and-more")).toBe(
      "p=⟦secret:DB_PASSWORD⟧; q=⟦secret:LONG_TOKEN⟧",
    );
    expect(hide("a configured one")).toBe("⟦secret:vault⟧");
    expect(hide(ENV.DATABASE_URL)).toBe("postgres://me:⟦secret:DATABASE_URL⟧@db/x");
  });

  it("D-11 the password in an address that is a secret itself has a name of its own", () => {
    const { hide, restore } = createSecrets({ env: { DB_CREDENTIALS: ENV.DATABASE_URL } });
    const text = `all: ${ENV.DATABASE_URL}, password: correct-horse`;
    expect(hide(text)).toBe("all: ⟦secret:DB_CREDENTIALS⟧, password: ⟦secret:DB_CREDENTIALS_2⟧");
    expect(restore(hide(text)).text).toBe(text);
  });

  it("D-11 what is short, no secret, or only looks like one stays exact", () => {
    const { hide } = createSecrets({ env: ENV });
    const text = `1234567 /home/somebody ghp_${"a1B2".repeat(9)} password=mypassword`;
    expect(hide(text)).toBe(text);
  });

  it("D-11 values are put back only for names that were read", () => {
    const { hide, mask, restore } = createSecrets({ env: ENV });
    const text = "a=⟦secret:DB_PASSWORD⟧ b=⟦secret:NOBODY⟧ c=⟦secret:";
    const unread = { text, names: [], unread: ["DB_PASSWORD"] };
    expect(restore(text)).toEqual(unread);
    mask("hunter2hunter2");
    expect(restore(text)).toEqual(unread);
    hide("hunter2hunter2");
    expect(restore(text)).toEqual({
      text: "a=hunter2hunter2 b=⟦secret:NOBODY⟧ c=⟦secret:",
      names: ["DB_PASSWORD"],
      unread: [],
    });
  });

  it("D-11 look-alikes in a text are escaped, and come back", () => {
    const { hide, restore } = createSecrets({ env: { DB_PASSWORD: "hunter2hunter2" } });
    hide("hunter2hunter2");
    const text = "⟦secret:DB_PASSWORD⟧";
    expect(hide(text)).toBe("⟦⟦secret:DB_PASSWORD⟧");
    expect(hide("⟦secret:OTHER⟧")).toBe("⟦secret:OTHER⟧");
    expect(restore(hide(text))).toEqual({ text, names: [], unread: [] });
  });

  it("D-11 hidden characters neither split a value nor disguise a look-alike", () => {
    const pem = "-----BEGIN-----\r\nMIIabcdef\r\n-----END-----";
    const { hide, hideOutput, restore } = createSecrets({
      env: { DB_PASSWORD: "hunter2hunter2", PEM_KEY: pem },
    });
    for (const hideOne of [hide, hideOutput]) {
      expect(hideOne("hunter2\u200bhunter2")).toBe("⟦secret:DB_PASSWORD⟧");
      expect(hideOne("⟦sec\u200bret:DB_PASSWORD⟧")).toBe("⟦⟦secret:DB_PASSWORD⟧");
      expect(hideOne("⟦\u{e0041}secret:DB_PASSWORD⟧")).toBe("⟦⟦secret:DB_PASSWORD⟧");
      expect(hideOne(`k=${pem}\r\n`)).toBe("k=⟦secret:PEM_KEY⟧\n");
      expect(hideOne(pem.replaceAll("\r", ""))).toBe("⟦secret:PEM_KEY⟧");
    }
    expect(restore("⟦secret:PEM_KEY⟧").text).toBe(pem);
  });

  it("D-11 long rows of brackets take no quadratic time", () => {
    const { hide, restore } = createSecrets({ env: { DB_PASSWORD: "hunter2hunter2" } });
    const rows = "⟦".repeat(1_000_000);
    for (const text of [rows, `${rows}hunter2hunter2`, `${rows}secret:DB_PASSWORD⟧ ${rows}`]) {
      expect(restore(hide(text)).text).toBe(text);
    }
  });

  it("D-11 tells once of each name that is read, and takes those of an earlier part of the run", () => {
    const read: string[] = [];
    const onRead = (name: string) => void read.push(name);
    const { hide } = createSecrets({ env: ENV, onRead });
    hide("hunter2hunter2 hunter2hunter2");
    hide("hunter2hunter2");
    expect(read).toEqual(["DB_PASSWORD"]);
    const later = createSecrets({ env: ENV, read: () => read });
    expect(later.restore("⟦secret:DB_PASSWORD⟧").text).toBe("hunter2hunter2");
  });

  it("P-04 X-05 shows no part of a secret, wherever the cut parts it", () => {
    const value = ENV.LONG_TOKEN;
    for (let at = 4; at <= value.length - 4; at++) {
      const { hideOutput } = createSecrets({ env: ENV });
      const cut = `before ${value.slice(0, at)}\n[… 100 bytes left out …]\n${value.slice(at)} after`;
      const left = 100 + value.length;
      expect(hideOutput(cut)).toBe(`before \n[… ${left} bytes left out …]\n after`);
    }
    const { hideOutput } = createSecrets({ env: ENV });
    const whole = "a\n[… 5 bytes left out …]\n=hunter2hunter2;\n[… 6 bytes left out …]\nb";
    expect(hideOutput(whole)).toBe(whole.replace("hunter2hunter2", "⟦secret:DB_PASSWORD⟧"));
  });

  it("D-11 any text comes back as it was", () => {
    const values = Object.values(ENV);
    const part = fc.oneof(
      fc.constantFrom(...values),
      fc.constantFrom(...values.map((value) => value.slice(0, 7))),
      fc.constantFrom(...values.map((value) => value.slice(5))),
      fc.constantFrom("⟦", "⟦⟦", "⟧", "secret:", "⟦secret:", "⟦secret:DB_PASSWORD⟧", "DB_PASSWORD"),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const { hide, restore } = createSecrets({ env: ENV });
        const hidden = hide(text);
        expect(restore(hidden).text).toBe(text);
        expect(hidden).not.toContain("hunter2hunter2");
      }),
      { numRuns: 2000 },
    );
  });
});
