import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../../test/support/suite.ts";
import { createRedactor } from "../../index.ts";

const plain = createRedactor({ env: {} });

describe("by field name", () => {
  const secret = [
    "token",
    "password",
    "Authorization",
    "api_key",
    "apiKey",
    "API-KEY",
    "x-api-key",
    "Cookie",
    "set-cookie",
    "clientSecret",
    "AWS_SECRET_ACCESS_KEY",
    "dbPassword",
    "db.passwd",
    "auth",
    "refresh_token",
    "privateKey",
    "GITHUB_TOKEN",
    "sessionId",
    "HTTPAuthToken",
    "credentials",
  ];
  it.each(secret)("P-04 %s is a secret", (name) => {
    expect(plain.redact({ [name]: "a value" })).toEqual({ [name]: "[redacted]" });
  });

  const harmless = ["tokenCount", "maxTokens", "token_type", "author", "key", "path", "tokenizer"];
  it.each([...harmless, "authorName", "passwordPolicy"])("P-04 %s is none", (name) => {
    expect(plain.redact({ [name]: 7 })).toEqual({ [name]: 7 });
  });

  it("P-04 counts of tokens stay, passwords of digits do not", () => {
    expect(plain.redact({ tokens: 512, usage: { totalTokens: 3 }, password: 123 })).toEqual({
      tokens: 512,
      usage: { totalTokens: 3 },
      password: "[redacted]",
    });
  });

  it("P-04 keeps the shape of what it hides", () => {
    expect(plain.redact({ cookies: { a: "1", b: ["2", null, { c: 3 }] } })).toEqual({
      cookies: { a: "[redacted]", b: ["[redacted]", null, { c: "[redacted]" }] },
    });
  });

  it("P-04 knows pairs, maps, headers and arguments", () => {
    const headers = [
      ["Authorization", "Basic xyz"],
      ["accept", "*/*"],
    ];
    expect(plain.redact(headers)).toEqual([
      ["Authorization", "[redacted]"],
      ["accept", "*/*"],
    ]);
    expect(plain.redact({ name: "X-Api-Key", value: "abc" })).toMatchObject({
      value: "[redacted]",
    });
    expect(plain.redact({ value: "abc", name: "X-Api-Key" })).toEqual({
      value: "[redacted]",
      name: "X-Api-Key",
    });
    expect(plain.redact({ key: "x-api-key", value: "abc", name: "mine" })).toEqual({
      key: "x-api-key",
      value: "[redacted]",
      name: "mine",
    });
    expect(plain.redact(new Map([["token", "abc"]]))).toEqual({ token: "[redacted]" });
    expect(plain.redact(new Headers({ cookie: "abc" }))).toEqual({ cookie: "[redacted]" });
    const argv = ["curl", "--token", "abc", "--verbose", "--password=abc", "x"];
    expect(plain.redact(argv)).toEqual([
      "curl",
      "--token",
      "[redacted]",
      "--verbose",
      "--password=[redacted]",
      "x",
    ]);
  });
});

describe("what only looks like a value", () => {
  it.each([
    "./passwd: 5 rows, 3 columns",
    "passwd: 12,000 lines",
    "token: 3 occurrences",
    "/etc/passwd: ASCII text",
    "password: 7 of 9 fields are empty",
  ])("P-04 %j stays", (text) => {
    expect(plain.redactText(text)).toBe(text);
  });

  it.each([
    ["passwd: hunter2", "passwd: [redacted]"],
    ["password: 12345", "password: [redacted]"],
    ["password: 12345 please", "password: [redacted] please"],
    ["secret/db/password: hunter2", "secret/db/password: [redacted]"],
    ["PASSWD=5 rows", "PASSWD=[redacted] rows"],
    ["passwd:5 rows", "passwd:[redacted] rows"],
    ["password: 5rows", "password: [redacted]"],
  ])("P-04 %j does not", (text, redacted) => {
    expect(plain.redactText(text)).toBe(redacted);
  });
});

describe("by value", () => {
  const value = 'p/4?s+s"w ö{1}$&';
  const redactor = createRedactor({ env: { DB_PASSWORD: value, EDITOR: "some-editor" } });
  const forms: readonly (readonly [string, string])[] = [
    ["as it is", value],
    ["in a URL", encodeURIComponent(value)],
    ["in a form", encodeURIComponent(value).replaceAll("%20", "+")],
    [
      "in small hexadecimal",
      encodeURIComponent(value).replaceAll(/%../g, (code) => code.toLowerCase()),
    ],
    ["in JSON", JSON.stringify(value).slice(1, -1)],
    ["in Base64", Buffer.from(value).toString("base64").replace(/=+$/, "")],
    ["in Base64 for URLs", Buffer.from(value).toString("base64url")],
  ];
  it.each(forms)("P-04 is found %s", (_, form) => {
    expect(redactor.redactText(`<<${form}>>`)).not.toContain(form);
    expect(redactor.redactText(`<<${form}>>`)).toMatch(/^<<\[redacted\].{0,2}>>$/);
  });

  it.each(["", "a", "ab", "user:"])("P-04 is found in Base64 after %j", (before) => {
    const encoded = Buffer.from(`${before}${value}, and so on`).toString("base64");
    const left = redactor.redactText(encoded).replace("[redacted]", "");
    const shared = [
      ...Buffer.from(value)
        .toString("base64")
        .matchAll(/(?=(.{6}))/g),
    ].map(([, part]) => part!);
    expect(redactor.redactText(encoded)).toContain("[redacted]");
    expect(shared.filter((part) => left.includes(part))).toEqual([]);
  });

  it("P-04 leaves what is no secret: short values, harmless variables", () => {
    const env = {
      A_TOKEN: "short",
      PWD: "/home/me/project",
      EDITOR: "some-editor",
      TOKEN_URL: "https://x.example",
    };
    const text = "short /home/me/project some-editor https://x.example";
    expect(createRedactor({ env }).redactText(text)).toBe(text);
  });

  it("P-04 knows the password in a URL of a variable", () => {
    const env = { DATABASE_URL: "postgres://me:correct%20horse@db/x" };
    expect(createRedactor({ env }).redactText("it is correct horse")).toBe("it is [redacted]");
  });

  it("P-04 is found as a key, a number, a symbol, in an error and its cause", () => {
    const numeric = createRedactor({ env: {}, values: ["987654321", "hunter-two"] });
    const value = {
      "a hunter-two b": 1,
      "c hunter-two": 2,
      n: 987654321,
      big: 987654321n,
      error: new Error("hunter-two", { cause: new Error("hunter-two") }),
      [Symbol("x")]: 1,
      symbol: Symbol("hunter-two"),
      url: new URL("https://a/hunter-two"),
      set: new Set(["hunter-two"]),
    };
    const text = JSON.stringify(numeric.redact(value));
    expect(text).not.toMatch(/hunter-two|987654321/);
    expect(Object.keys(JSON.parse(text) as object)).toHaveLength(8);
  });
});

describe("by shape", () => {
  const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlc2lnbmF0dXJl";
  const body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nabcdefghijklmnop\n";
  const shapes: readonly (readonly [string, string])[] = [
    [`key sk-${"aB3-".repeat(8)} end`, "key [redacted] end"],
    [`sk-ant-api03-${"x".repeat(40)}`, "[redacted]"],
    [`(ghp_${"a1".repeat(18)})`, "([redacted])"],
    [`github_pat_${"a1_".repeat(18)}`, "[redacted]"],
    ["xoxb-123456789012-abcdefABCDEF", "[redacted]"],
    ["id AKIAIOSFODNN7EXAMPLE.", "id [redacted]."],
    [`AIza${"Sy-_0".repeat(7)}`, "[redacted]"],
    [jwt, "[redacted]"],
    [`x=${jwt}&y`, "x=[redacted]&y"],
    [
      `-----BEGIN RSA PRIVATE KEY-----\n${body}-----END RSA PRIVATE KEY-----\nafter`,
      "[redacted]\nafter",
    ],
    [`-----BEGIN PRIVATE KEY-----\n${body}`, "[redacted]"],
    ["Authorization: Bearer abc.def-ghi", "Authorization: Bearer [redacted]"],
    [
      "curl -H 'authorization: Basic dXNlcjpwYXNz' x",
      "curl -H 'authorization: Basic [redacted]' x",
    ],
    ["then bearer abcdefgh", "then bearer [redacted]"],
    ["Cookie: a=b; c=d\nnext", "Cookie: [redacted]\nnext"],
    ["https://me:p@ss:w0rd@host/x", "https://me:[redacted]@host/x"],
    [`https://${"f0".repeat(20)}@host/x`, "https://[redacted]@host/x"],
    ["PASSWORD=hunter2 run", "PASSWORD=[redacted] run"],
    ["AWS_SECRET_ACCESS_KEY=abc/def", "AWS_SECRET_ACCESS_KEY=[redacted]"],
    ['{"password": "a \\" b", "x": 1}', '{"password": "[redacted]", "x": 1}'],
    [
      String.raw`"{\"api_key\":\"abcd\",\"x\":1}"`,
      String.raw`"{\"api_key\":\"[redacted]\",\"x\":1}"`,
    ],
    ["run --api-key abc --x", "run --api-key [redacted] --x"],
    ["https://h/?a=1&token=abc&b=2", "https://h/?a=1&token=[redacted]&b=2"],
    ["https://h/?key=abcdefgh#x", "https://h/?key=[redacted]#x"],
  ];
  it.each(shapes)("P-04 in %j", (text, expected) => {
    expect(plain.redactText(text)).toBe(expected);
    expect(plain.redactText(expected), "once is enough").toBe(expected);
  });

  const harmless = [
    "the task-runner asks for disk-space-and-more-of-it-please",
    "ssh://git@github.com/a/b and mailto:me@example.org at 10:30",
    "tokens: 4096, max_tokens=5, tokenizer=bert, a secretary: x",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
  ];
  it.each(harmless)("P-04 not in %j", (text) => {
    expect(plain.redactText(text)).toBe(text);
  });

  const code = [
    "token = get_token(user)",
    "token = await client.fetchToken(user)",
    "if token: return True",
    "if not token: raise Error",
    "if token == other_token: pass",
    "function login(token: string, password?: string): Promise<void>",
    "def login(token: str, secret: Optional[str] = None):",
    "self.token = self.load(path)",
    "const apiKey = process.env.API_KEY;",
    'password = os.environ["DB_PASSWORD"]',
    "token = tokens[0]",
    "const token = null;",
    "const next = token => token.value;",
    "auto token = Token::parse(text);",
    "PASSWORD=${DB_PASSWORD}",
    'if token == "": return',
    String.raw`token = get_token(user)\nif token: return True\n`,
    String.raw`{\"access_token\":null,\"secret\":[\"a\"]}`,
  ];
  it.each(code)("P-04 not in what plainly is code: %j", (text) => {
    expect(plain.redactText(text)).toBe(text);
  });

  const values: readonly (readonly [string, string])[] = [
    ["password=changeme", "password=[redacted]"],
    ["token: abc123", "token: [redacted]"],
    ["password: changeme", "password: [redacted]"],
    ['token: str = "abcd"', 'token: str = "[redacted]"'],
    ["token = b'abcd'", "token = b'[redacted]'"],
    ['if token == "abcd": return', 'if token == "[redacted]": return'],
    ["password=ab\\cd1 x", "password=[redacted] x"],
    [
      String.raw`password=abc1\nhost=db.local port=5432`,
      String.raw`password=[redacted]\nhost=db.local port=5432`,
    ],
    [String.raw`token=abc123\n\"name\" is next`, String.raw`token=[redacted]\n\"name\" is next`],
    [String.raw`run --token abc\nnext`, String.raw`run --token [redacted]\nnext`],
    ['run --password "my secret" x', 'run --password "[redacted]" x'],
    [String.raw`a\nAuthorization: Basic dXNlcg`, String.raw`a\nAuthorization: Basic [redacted]`],
    [String.raw`a\nbearer abcdefgh`, String.raw`a\nbearer [redacted]`],
    [String.raw`a\ncookie: a=b\nc`, String.raw`a\ncookie: [redacted]\nc`],
  ];
  it.each(values)("P-04 in %j, and no further", (text, expected) => {
    expect(plain.redactText(text)).toBe(expected);
    expect(plain.redactText(expected), "once is enough").toBe(expected);
  });

  it.each(["\\n", "\\\\r", "\\t", "\\u000a", "\\x1b[1m", "%0A", "\u001b[31m", '\\"', "\\\\"])(
    "P-04 behind the escape %j",
    (escape) => {
      const token = `ghp_${"a1".repeat(18)}`;
      expect(plain.redactText(`tok:${escape}${token}`)).toBe(`tok:${escape}[redacted]`);
    },
  );

  it("P-04 P-03 anywhere in a JSON string, and in JSON within JSON", () => {
    const parts = fc.constantFrom(
      `sk-proj-${"aB3".repeat(8)}`,
      "sk_live_0123456789ab",
      `ghp_${"a1".repeat(18)}`,
      `glpat-${"a1".repeat(10)}`,
      "xoxb-123456789012-abcdef",
      "AKIAIOSFODNN7EXAMPLE",
      `AIza${"Sy-_0".repeat(7)}`,
      jwt,
      `-----BEGIN PRIVATE KEY-----\n${body}-----END PRIVATE KEY-----`,
    );
    const around = fc.string({
      unit: fc.constantFrom("\n", "\t", '"', "\\", "{", "}", ":", " ", "\u0001", "é", "."),
    });
    const depth = fc.integer({ min: 0, max: 3 });
    fc.assert(
      fc.property(parts, around, around, depth, (secret, before, after, levels) => {
        let text = `${before}${secret}${after}`;
        for (let level = 0; level < levels; level++) text = JSON.stringify({ a: [text] });
        const secretPart = secret.split("\n").find((line) => !line.startsWith("-----")) ?? "";
        expect(plain.redactText(text)).not.toContain(secretPart);
        expect(JSON.stringify(plain.redact({ text }))).not.toContain(secretPart);
      }),
      { numRuns: numRuns(1000) },
    );
  });

  it("P-04 once: what is redacted or cut stays as it is", () => {
    const pieces = fc.constantFrom(
      ...values.map(([text]) => text),
      ...shapes.map(([text]) => text),
      ...code,
      "password=",
      "token='",
      '"',
      "\\",
      "://",
      "@",
      " ",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (all) => {
        const once = plain.redactText(all.join(""));
        expect(plain.redactText(once)).toBe(once);
      }),
      { numRuns: numRuns(2000) },
    );
    const cut = plain.redact("ab".repeat(20_000));
    expect(plain.redact(cut)).toBe(cut);
  });

  it("P-04 in hostile text, without being held up by it", () => {
    const parts = [
      "x",
      "eyJ",
      "eyJaaaaaaaa.",
      "sk-",
      "sk-aaaaaaaaaa ",
      "://",
      "://aaaaaaaaaa:",
      "a:",
      "bearer ",
      "-----BEGIN PRIVATE KEY-----",
      "password=",
      'password="',
      "token",
      "token    ",
      "?key=",
      "\\n",
      "token=\\\\",
      "token: a.",
      "token: a[",
      "\u001b[1;1m",
      "authorization: ",
      "cookie: ",
      "--",
      "\\",
      "--token ",
      "://a@",
      "SG.aaaaaaaaaaaaaaaaaaaa.",
    ];
    for (const part of parts) {
      const text = `${part.repeat(500_000 / part.length)} \n ghp_${"a".repeat(36)}`;
      expect(plain.redactText(text), part).not.toContain("ghp_");
    }
  });
});

describe("any value", () => {
  it("P-04 becomes JSON and stays what it is otherwise", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const result = plain.redact(value);
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      }),
    );
    const harmless = { a: [1, "two", null, true, { b: {} }], c: -0.5, d: "ü😀" };
    expect(plain.redact(harmless)).toEqual(harmless);
  });

  it("P-04 may be hostile", () => {
    const cyclic: Record<string, unknown> = { a: 1 };
    cyclic["self"] = { cyclic };
    const proxy = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no");
        },
      },
    );
    const value = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2}') as object;
    const odd = {
      cyclic,
      proxy,
      value,
      get broken() {
        throw new Error("no");
      },
      f: () => 1,
      big: 12n,
      nan: Number.NaN,
      date: new Date(0),
      noDate: new Date(Number.NaN),
      bytes: Buffer.from("secret"),
      undefined: undefined,
      holes: [undefined, , 1], // oxlint-disable-line no-sparse-arrays
      toJSON: "mine",
    };
    const result = JSON.parse(JSON.stringify(plain.redact(odd))) as Record<string, unknown>;
    expect(result).toMatchObject({
      cyclic: { a: 1, self: { cyclic: "[circular]" } },
      proxy: "[unreadable]",
      broken: "[unreadable]",
      f: "[function f]",
      big: "12",
      nan: "NaN",
      date: "1970-01-01T00:00:00.000Z",
      noDate: "[no date]",
      bytes: "[6 bytes]",
      holes: [null, null, 1],
      toJSON: "mine",
    });
    expect(JSON.stringify(result["value"])).toBe('{"__proto__":{"polluted":1},"constructor":2}');
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("P-04 is bounded in depth, number and length", () => {
    let deep: unknown = "end";
    for (let index = 0; index < 100_000; index++) deep = [deep];
    expect(JSON.stringify(plain.redact(deep))).toContain("[too deep]");
    let wide: unknown = "x";
    for (let index = 0; index < 14; index++) wide = Array.from({ length: 14 }, () => wide);
    const sizes = [
      wide,
      Object.assign([], { length: 2 ** 32 - 1 }),
      "x".repeat(1_000_000),
      Array(50_000).fill("y".repeat(900)),
    ];
    for (const value of sizes) {
      expect(JSON.stringify(plain.redact(value)).length).toBeLessThan(400_000);
    }
    const cut = plain.redact("ab".repeat(20_000));
    expect(cut).toMatch(/^(?:ab)+… \[cut: 40000 characters, sha256:[0-9a-f]{64}\]$/);
    const secret = `${"x".repeat(16_380)} sk-${"a".repeat(40)}`;
    expect(plain.redact(secret), "hidden before it is cut").not.toContain("sk-");
  });

  it("P-04 holds no secret, wherever it was put", () => {
    const secrets = fc.array(
      fc
        .string({ unit: "grapheme-ascii", minLength: 10, maxLength: 40 })
        .filter((text) => !/redacted|^\s|\s$/.test(text)),
      { minLength: 1, maxLength: 3 },
    );
    const keys = fc.constantFrom("a", "token", "list", "__proto__", "toJSON");
    fc.assert(
      fc.property(secrets, fc.nat(), keys, fc.string(), (values, pick, key, around) => {
        const redactor = createRedactor({ env: {}, values });
        const secret = values[pick % values.length]!;
        const text = `${around} ${secret}${around}`;
        const value = [
          text,
          { [key]: text, [text]: 1 },
          new Map([[text, [text]]]),
          new Error(text),
        ];
        const result = JSON.stringify(redactor.redact([value, encodeURIComponent(secret)]));
        for (const form of [
          secret,
          JSON.stringify(secret).slice(1, -1),
          encodeURIComponent(secret),
        ]) {
          expect(result).not.toContain(form);
        }
      }),
      { numRuns: numRuns(300) },
    );
  });
});

it("P-03 hides a known secret also byte by byte, in either case", () => {
  const secret = "s3cr3t-Value/é";
  const { redact } = createRedactor({ env: { API_TOKEN: secret } });
  const hex = Buffer.from(secret).toString("hex");
  const bytes = hex.match(/../g) ?? [];
  const written = [
    hex,
    hex.toUpperCase(),
    bytes.join(" "),
    bytes.join(":").toUpperCase(),
    bytes.map((byte) => `%${byte.toUpperCase()}`).join(""),
    bytes.map((byte) => `\\x${byte}`).join(""),
    Array.from(secret, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  ];
  for (const text of written)
    expect(redact(`before ${text} after`)).toBe("before [redacted] after");
});

it("P-03 a working directory is no password", () => {
  const { redact } = createRedactor({ env: {} });
  const kept = "PWD=/home/me/project OLDPWD=/tmp pwd=/x";
  expect(redact(kept)).toBe(kept);
  expect(redact("pwd=hunter2 DB_PWD=/hunter2 pwd: /hunter2")).not.toContain("hunter2");
});
