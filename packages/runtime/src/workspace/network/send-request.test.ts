import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { httpsTransport } from "../index.ts";

/** Answers as `good.test`, a name that no resolver knows. */
async function serverFor(name: string) {
  const folder = temporaryFolder();
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
  const form = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"];
  execFileSync("openssl", [...form, ...subject, "-keyout", key, "-out", certificate], {
    stdio: "ignore",
  });
  const names: string[] = [];
  const server = createServer({
    key: readFileSync(key),
    cert: readFileSync(certificate),
    SNICallback: (asked, done) => {
      names.push(asked);
      done(null);
    },
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, names };
}

it("X-10 connects to the given address, asks for the name, and refuses a certificate nobody vouches for", async () => {
  const { port, names } = await serverFor("good.test");
  const request = httpsTransport({
    url: new URL(`https://good.test:${port}/`),
    method: "GET",
    headers: {},
    address: { address: "127.0.0.1", family: 4 },
    signal: AbortSignal.timeout(10_000),
  });
  await expect(request).rejects.toThrow(/self-signed/);
  expect(names).toEqual(["good.test"]);
});

it("X-10 ends when it is told to", async () => {
  const signal = AbortSignal.abort();
  const url = new URL("https://good.test:9/");
  const address = { address: "127.0.0.1", family: 4 } as const;
  await expect(
    httpsTransport({ url, method: "GET", headers: {}, address, signal }),
  ).rejects.toThrow(/abort/i);
});
