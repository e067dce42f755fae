import { describe, expect, it } from "vitest";
import { createRedactor } from "@skillwright/runtime";

const { redact, redactText } = createRedactor({ env: {} });
const HEX = "0123456789abcdef0123456789abcdef";

describe("tokens of services", () => {
  it.each([
    `hvs.CAESIJ${HEX}`,
    `hvb.AAAAAQ${HEX}`,
    `gsk_${HEX}ABCD`,
    `xai-${HEX}ABCD`,
    `nvapi-${HEX}_-AB`,
    `dapi${HEX}`,
    `dapi${HEX}-2`,
    `glsa_${HEX}_1a2b3c4d`,
    `dckr_pat_${HEX.slice(0, 27)}`,
    `123456789:AAE${HEX}`,
    `1234567890:AA_-${HEX.slice(1)}`,
  ])("P-04 %s is redacted in a text, a field and an escaped text", (token) => {
    expect(redactText(`use ${token} here`)).toBe("use [redacted] here");
    expect(redact({ note: token })).toEqual({ note: "[redacted]" });
    expect(redactText(`"line\\n${token}"`)).not.toContain(token);
  });

  it.each([
    "hvs.io/docs",
    "gsk_short",
    "xai-org",
    "nvapi-docs",
    `123456789:AAE${HEX}0`,
    `1234567:AAE${HEX}`,
    "dapi is an interface",
    `dapi${HEX}0`,
    "dapi-server-and-client-of-a-long-name",
    "glsa_team",
    "dckr_pat_",
  ])("P-04 %s stays", (text) => {
    expect(redactText(text)).toBe(text);
  });
});

const SECRET: readonly (readonly [string, string])[] = [
  ["mysql -u root -phunter2 shop", "mysql -u root -p[redacted] shop"],
  ["/usr/bin/mysqldump -phunter2 shop", "/usr/bin/mysqldump -p[redacted] shop"],
  ["mysql -p'hunter 2' shop", "mysql -p'[redacted]' shop"],
  ["mariadb-dump -h db -p1234567 shop", "mariadb-dump -h db -p[redacted] shop"],
  ["sshpass -p hunter2 ssh -p 2222 host", "sshpass -p [redacted] ssh -p 2222 host"],
  ["sshpass -phunter2 ssh host", "sshpass -p[redacted] ssh host"],
  ['sshpass -p "hunter 2" ssh host', 'sshpass -p "[redacted]" ssh host'],
  ["docker login -u me -p hunter2 ghcr.io", "docker login -u me -p [redacted] ghcr.io"],
  ["docker --debug login ghcr.io -p hunter2", "docker --debug login ghcr.io -p [redacted]"],
  ["helm registry login -p hunter2 host", "helm registry login -p [redacted] host"],
  ["az login -u a@b.c -p 1234567", "az login -u a@b.c -p [redacted]"],
  ["mongosh -u me -p hunter2", "mongosh -u me -p [redacted]"],
  ["redis-cli -h db -a hunter2 ping", "redis-cli -h db -a [redacted] ping"],
  ["redis-cli --pass hunter2 ping", "redis-cli --pass [redacted] ping"],
  ["curl -u me:hunter2 https://x.example", "curl -u me:[redacted] https://x.example"],
  [
    "curl 'https://x.example/?a=1&b=2' -u me:hunter2",
    "curl 'https://x.example/?a=1&b=2' -u me:[redacted]",
  ],
  [
    "curl -sSume:hunter2 x --proxy-user me:hunter2",
    "curl -sSume:[redacted] x --proxy-user me:[redacted]",
  ],
  [
    "curl --proxy-user 'me:hunter2' -u me:hunter3 x",
    "curl --proxy-user 'me:[redacted]' -u me:[redacted] x",
  ],
  ["7z x -phunter2 a.7z", "7z x -p[redacted] a.7z"],
  ["unzip -P hunter2 a.zip", "unzip -P [redacted] a.zip"],
  ["sqlcmd -S db -U sa -P hunter2", "sqlcmd -S db -U sa -P [redacted]"],
  ["ldapsearch -D cn=me -w hunter2", "ldapsearch -D cn=me -w [redacted]"],
  ["smbclient //h/s -U me%hunter2", "smbclient //h/s -U me%[redacted]"],
  ["openssl rsa -passin pass:hunter2", "openssl rsa -passin pass:[redacted]"],
  ["keytool -storepass hunter2", "keytool -storepass [redacted]"],
  ["psql --password hunter2", "psql --password [redacted]"],
  ["tool --password 12", "tool --password [redacted]"],
  ["tool --db-pass hunter2", "tool --db-pass [redacted]"],
  ["tool --new-user-password=hunter2", "tool --new-user-password=[redacted]"],
  ["MY_PASS=hunter2 ./run", "MY_PASS=[redacted] ./run"],
  ["export DB_PASS='hunter2'", "export DB_PASS='[redacted]'"],
  ['{"SMTP_PASS":"hunter2"}', '{"SMTP_PASS":"[redacted]"}'],
  ["db_pass: hunter2", "db_pass: [redacted]"],
  ["PASS=hunter2 ./run", "PASS=[redacted] ./run"],
  ["SSHPASS=hunter2 sshpass -e ssh h", "SSHPASS=[redacted] sshpass -e ssh h"],
  ["MYSQL_PWD=1234567", "MYSQL_PWD=[redacted]"],
  ["GPG_PASSPHRASE=hunter2", "GPG_PASSPHRASE=[redacted]"],
  ["PGPASSWORD=hunter2 psql", "PGPASSWORD=[redacted] psql"],
  ['"echo\\nmysql -phunter2 shop"', '"echo\\nmysql -p[redacted] shop"'],
];

const PLACED: readonly (readonly [string, string])[] = [
  [
    "aws configure set aws_secret_access_key wJalrXUtnFEMI/K7",
    "aws configure set aws_secret_access_key [redacted]",
  ],
  [
    "aws configure set profile.x.aws_session_token abcd --profile x",
    "aws configure set profile.x.aws_session_token [redacted] --profile x",
  ],
  ["npm config set //host/:_authToken hunter2", "npm config set //host/:_authToken [redacted]"],
  ["htpasswd -b users me hunter2", "htpasswd -b users me [redacted]"],
  [
    "/usr/bin/htpasswd -cbB -C 10 users me hunter2",
    "/usr/bin/htpasswd -cbB -C 10 users me [redacted]",
  ],
  ["htpasswd -nb me hunter2", "htpasswd -nb me [redacted]"],
  ["htpasswd -n -b me hunter2 > users", "htpasswd -n -b me [redacted] > users"],
];

const PIPED: readonly (readonly [string, string])[] = [
  ["echo hunter2 | sudo -S id", "echo [redacted] | sudo -S id"],
  ["cd a && echo 'hunter 2'|sudo -kS id", "cd a && echo [redacted]|sudo -kS id"],
  ["echo -n hunter2 | sudo -u root --stdin id", "echo -n [redacted] | sudo -u root --stdin id"],
  ["printf '%s\\n' hunter2 | sudo -S id", "printf [redacted] | sudo -S id"],
  ['sudo -S id <<< "hunter2"', "sudo -S id <<< [redacted]"],
];

const HARMLESS: readonly string[] = [
  "aws configure set region eu-west-1",
  "git config set user.name me",
  "htpasswd -c users me",
  "htpasswd users me -b",
  "echo done | sudo tee -a log",
  "echo Set the config | grep -S x",
  "mkdir -p build/output",
  "cp -p a.txt b.txt",
  "ssh -p 2222 host",
  "scp -P 2222 a host:",
  "docker run -p 8080:80 nginx",
  "docker compose -p project up",
  "mysql -u root -p shop",
  "mysql shop; mkdir -pv build",
  "mysql shop && mkdir -pv build",
  "mysql shop | tee -pv log",
  "sshpass -e ssh host",
  "curl -u me https://x.example",
  "curl https://x.example:8080/a",
  "redis-cli ping | grep -a PONG",
  "unzip -p a.zip file",
  "tar -cpf a.tar b",
  "PWD=/home/me/project",
  "OLDPWD=/home/me",
  "BYPASS=always",
  "COMPASS=north",
  "FIRST_PASS=done",
  "low_pass: butterworth",
  "pass=12 fail=0",
  "pass: all checks",
  "x265 --pass 2 --stats f",
  "ffmpeg -pass 1 out.mp4",
  "openssl rsa -passin file:/run/key",
  "tests pass; compass points north",
];

describe("passwords in options and assignments", () => {
  it.each([...SECRET, ...PLACED, ...PIPED])("P-04 %s", (text, redacted) => {
    expect(redactText(text)).toBe(redacted);
    expect(redactText(redacted)).toBe(redacted);
  });

  it.each(HARMLESS)("P-04 %s stays", (text) => {
    expect(redactText(text)).toBe(text);
    expect(redact(text.split(" "))).toEqual(text.split(" "));
  });

  it.each([...SECRET, ...PLACED].filter(([text]) => !/["'{]/.test(text)))(
    "P-04 as arguments: %s",
    (text, redacted) => {
      expect(redact(text.split(" "))).toEqual(redacted.split(" "));
    },
  );

  it("P-04 as arguments that hold blanks", () => {
    const argv = ["prlimit", "--", "sshpass", "-p", "hunter 2", "ssh", "-p", "22", "h"];
    expect(redact({ command: argv })).toEqual({
      command: ["prlimit", "--", "sshpass", "-p", "[redacted]", "ssh", "-p", "22", "h"],
    });
  });

  it.each(["-x y", "a;", "|b", '"q', "\\ ", "a&b|c", 123456])(
    "P-04 as an argument: %j",
    (password) => {
      expect(redact(["sshpass", "-p", password, "ssh"])).toEqual([
        "sshpass",
        "-p",
        "[redacted]",
        "ssh",
      ]);
      const argv = ["curl", "--data", "a;b c", "-u", `me:${password}`, `x${password}`];
      expect(redact(argv)).toEqual([...argv.slice(0, 4), "me:[redacted]", argv[5]]);
    },
  );

  it.each([
    ["MY_PASS", true],
    ["dbPass", true],
    ["SSHPASS", true],
    ["BYPASS", false],
    ["first_pass", false],
    ["pass", false],
  ])("P-04 a field %s", (name, isSecret) => {
    expect(redact({ [name]: "hunter2" })).toEqual({ [name]: isSecret ? "[redacted]" : "hunter2" });
  });

  it("P-04 the value of a variable wherever it appears", () => {
    const redactor = createRedactor({ env: { MY_PASS: "hunter2hunter2", PASS: "swordfish9" } });
    expect(redactor.redactText("a hunter2hunter2 b swordfish9")).toBe("a [redacted] b [redacted]");
  });

  it("P-04 hostile text takes time in proportion to its length", () => {
    const texts = [
      "mysql ",
      "docker login ",
      "echo ",
      "echo a | sudo -S",
      "htpasswd -b ",
      "config set token",
      "curl -u ",
      "-p ",
      "sshpass -x ",
    ].flatMap((part) => [part.repeat(20_000), part.trim().repeat(20_000)]);
    for (const text of texts) {
      const half = text.slice(0, text.length / 2);
      const timeOf = (given: string) => {
        const start = process.cpuUsage();
        redactText(given);
        return process.cpuUsage(start).user;
      };
      const short = Math.min(timeOf(half), timeOf(half));
      expect(timeOf(text), text.slice(0, 20)).toBeLessThan(short * 8 + 500_000);
    }
  });
});
