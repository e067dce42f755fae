import { describe, expect, it } from "vitest";
import { answerProblem, fetchProblem } from "../index.ts";

const ADDRESS = new URL("https://skills.example:8443/mcp?key=secret");

function failed(code: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error("inner"), { code }) });
}

describe("fetchProblem", () => {
  it.each([
    ["ECONNREFUSED", /nothing listens at skills\.example:8443/, /running/],
    ["ENOTFOUND", /host skills\.example is not found/, /spelling/],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", /certificate is signed by itself/, /NODE_EXTRA_CA_CERTS/],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", /does not know/, /NODE_EXTRA_CA_CERTS/],
    ["CERT_HAS_EXPIRED", /expired/, /^none$/],
    ["ERR_TLS_CERT_ALTNAME_INVALID", /another name/, /^none$/],
    ["ERR_SSL_WRONG_VERSION_NUMBER", /does not speak TLS/, /http:/],
    ["UND_ERR_CONNECT_TIMEOUT", /cannot be reached/, /network/],
    ["ECONNRESET", /without an answer/, /^none$/],
  ])("H-02 %s is said in words, and what to do", (code, reason, hint) => {
    const problem = fetchProblem(failed(code), ADDRESS);
    expect(problem?.reason).toMatch(reason);
    expect(problem?.hint ?? "none").toMatch(hint);
    expect(JSON.stringify(problem)).not.toContain("secret");
  });

  it.each([
    ["bad port", /port 8443 is for something else/],
    ["unexpected redirect", /another address/],
  ])("H-02 what has no code but says %j is known too", (text, reason) => {
    const error = new TypeError("fetch failed", { cause: new Error(text) });
    expect(fetchProblem(error, ADDRESS)?.reason).toMatch(reason);
  });

  it("H-02 looks into several attempts, and not for ever", () => {
    const several = new AggregateError([failed("ECONNREFUSED"), failed("ECONNREFUSED")]);
    expect(fetchProblem(several, ADDRESS)?.reason).toContain("nothing listens");
    const circle: { cause?: unknown } = new Error("a");
    circle.cause = circle;
    expect(fetchProblem(circle, ADDRESS)).toBeUndefined();
    expect(fetchProblem(undefined, ADDRESS)).toBeUndefined();
  });
});

describe("answerProblem", () => {
  const answer = (status: number, type = "application/json", hasToken = false) =>
    answerProblem({ status, headers: new Headers({ "content-type": type }) }, hasToken);

  it("H-02 a refusal says what the user can give", () => {
    expect(answer(401)?.hint).toContain("Authorization");
    expect(answer(401, "text/plain", true)?.hint).toContain("still valid");
  });

  it.each([403, 404, 410, 429, 500, 503])("H-02 HTTP %d is a problem", (status) => {
    expect(answer(status)?.reason).toContain(String(status));
  });

  it("H-02 a page is no server, an answer of the protocol is fine", () => {
    expect(answer(200, "text/html; charset=utf-8")?.reason).toBe("it answers with text/html");
    expect([answer(200), answer(202), answer(400)]).toEqual([undefined, undefined, undefined]);
  });
});
