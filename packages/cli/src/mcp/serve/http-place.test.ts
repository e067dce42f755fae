import { describe, expect, it } from "vitest";
import { httpPlace } from "../index.ts";

describe("httpPlace", () => {
  it("H-02 C-01 is on this machine, with a token that nobody had before", () => {
    const one = httpPlace({ http: true }, {});
    expect(one).toMatchObject({ host: "127.0.0.1", port: 0, isNewToken: true });
    expect(one?.token).toMatch(/^[\w-]{43}$/);
    expect(httpPlace({ http: true }, {})?.token).not.toBe(one?.token);
    expect(httpPlace({}, {})).toBeUndefined();
  });

  it("H-02 C-01 takes the user's own token", () => {
    const env = { SKILLWRIGHT_MCP_TOKEN: "0123456789abcdef" };
    expect(httpPlace({ http: true }, env)).toMatchObject({
      token: "0123456789abcdef",
      isNewToken: false,
    });
  });

  it.each(["short", "0123456789abcdefü", "0123456789 abcdef", "0123456789abcdef\u007f"])(
    "H-02 C-01 refuses the token %j, which not all clients could send",
    (token) => {
      const env = { SKILLWRIGHT_MCP_TOKEN: token };
      const refusal = expect.objectContaining({
        exitCode: 2,
        hint: expect.stringContaining("ASCII"),
      });
      expect(() => httpPlace({ http: true }, env)).toThrow(refusal);
    },
  );

  it.each(["0.0.0.0", "::", "192.168.0.3", "my-machine", "127.0.0.1.evil.example"])(
    "H-02 other machines reach %s only when that is said",
    (host) => {
      expect(() => httpPlace({ http: true, host }, {})).toThrow(/other machines/);
      expect(httpPlace({ http: true, host, allowRemote: true }, {})).toMatchObject({ host });
    },
  );

  it.each(["127.0.0.1", "127.1.2.3", "::1", "localhost"])("H-02 %s is this machine", (host) => {
    expect(httpPlace({ http: true, host }, {})).toMatchObject({ host });
  });
});
