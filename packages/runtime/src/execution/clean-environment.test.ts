import { expect, it } from "vitest";
import { cleanEnvironment } from "./index.ts";

it("X-05 takes nothing from this process", () => {
  process.env["SKILLWRIGHT_TEST_SECRET"] = "secret";
  const env = cleanEnvironment({ home: "/h", temporary: "/t" }, { SKILL_NAME: "pdf" });
  delete process.env["SKILLWRIGHT_TEST_SECRET"];
  expect(env).toEqual({
    PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
    HOME: "/h",
    USER: "sandbox",
    LOGNAME: "sandbox",
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    TMPDIR: "/t",
    SKILL_NAME: "pdf",
  });
});
