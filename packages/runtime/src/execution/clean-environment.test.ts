import { expect, it } from "vitest";
import { cleanEnvironment } from "./index.ts";

const PLACES = { home: "/h", temporary: "/t", skill: { directory: "/s", name: "pdf" } };

it("X-05 takes nothing from this process", () => {
  process.env["SKILLWRIGHT_TEST_SECRET"] = "secret";
  const result = cleanEnvironment(PLACES);
  delete process.env["SKILLWRIGHT_TEST_SECRET"];
  expect(result).toEqual({
    ok: true,
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
      HOME: "/h",
      USER: "sandbox",
      LOGNAME: "sandbox",
      LANG: "C.UTF-8",
      TERM: "dumb",
      NO_COLOR: "1",
      TMPDIR: "/t",
      SKILL_DIR: "/s",
      SKILL_NAME: "pdf",
    },
  });
});

it("X-05 adds what is given", () => {
  const result = cleanEnvironment(PLACES, { GITHUB_TOKEN: "x", NODELIST: "y", TZ: "UTC" });
  expect(result).toMatchObject({ ok: true, env: { GITHUB_TOKEN: "x", NODELIST: "y", TZ: "UTC" } });
});

it.each(["LD_AUDIT", "DYLD_INSERT_LIBRARIES", "node_options", "PYTHONSTARTUP", "SHELLOPTS", "PS4"])(
  "X-05 refuses %s",
  (name) => {
    expect(cleanEnvironment(PLACES, { [name]: "x" })).toMatchObject({
      ok: false,
      code: "environment-refused",
    });
  },
);

it("X-05 refuses names and values that no environment can hold", () => {
  for (const env of [{ "a=b": "x" }, { "": "x" }, { A: "x\0y" }, { A: "x".repeat(40_000) }]) {
    expect(cleanEnvironment(PLACES, env as Record<string, string>)).toMatchObject({ ok: false });
  }
});
