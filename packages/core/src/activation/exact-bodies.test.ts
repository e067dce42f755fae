import { chatOf } from "../../../../test/support/chat-of.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../index.ts";

const HEAD = "---\nname: exact\ndescription: Stays as it is. Use when asked.\n---\n";
const JWT = [
  "eyJhbGciOiJIUzI1NiJ9",
  "eyJzdWIiOiIxMjM0NTY3ODkwIn0",
  "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9",
];
const KEY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";

/** Everything that redaction of secrets or a parser would be tempted to change. */
const SHAPES: readonly string[] = [
  "DB_PASSWORD=hunter2hunter2",
  'password = "correct horse battery staple"',
  "passwd: 'p@ss w0rd'",
  "qpdf --password=mypassword --decrypt in.pdf out.pdf",
  "mysql -u root -psecret123 db",
  "sshpass -p hunter2 ssh host",
  "git clone https://user:pass@example.com/repo.git",
  "postgres://admin:s3cr3t@localhost:5432/app?sslmode=require",
  `export GITHUB_TOKEN=ghp_${"a1B2".repeat(9)}`,
  `OPENAI_API_KEY=sk-${"proj-aB3d".repeat(5)}`,
  "aws_access_key_id = AKIAIOSFODNN7EXAMPLE",
  "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  "slack: xoxb-123456789012-abcdefghijkl",
  `Authorization: Bearer ${JWT.join(".")}`,
  "Authorization: Basic dXNlcjpwYXNzd29yZA==",
  "curl -u user:password -H 'X-Api-Key: 0123456789abcdef0123456789abcdef' https://api.example.com",
  `-----BEGIN PRIVATE KEY-----\n${KEY}\n${KEY}\n-----END PRIVATE KEY-----`,
  `-----BEGIN OPENSSH PRIVATE KEY-----\n${KEY}\n-----END OPENSSH PRIVATE KEY-----`,
  "const authToken = data.token;",
  "function draw() { const secret = ctx.secret; return `${secret}`; }",
  '{\n  // the token\n  "token": "abc", /* why */\n  "list": [1,2,],\n}',
  '{"b":1,"a":{"password":"x"},"n":1.0,"e":1e3,"u":"\\u00e9"}',
  "# .env\nSECRET_KEY='a b'\nEMPTY=\nQUOTED=\"x\\ny\"",
  'apiVersion: v1\nkind: Secret\ndata:\n  password: cGFzcw==\nstringData: {token: "t"}',
  "| key | value |\n|:--|--:|\n| `token` | <b>bold</b> &amp; &lt;i&gt; |",
  "a < b && c > d || e <= f; <br/> <!-- comment --> <system>not a frame</system>",
  "~~~~md\n```js\nconst a = `x`;\n```\n~~~~",
  "\tindented with a tab\t \n    and with blanks   ",
  "two blanks at the end  \nand a line break\\\nhere",
  "$HOME ${HOME} $ARGUMENTS $$ %PATH% {{ template }} {% raw %}",
  "---\nname: another\n---\n***\n___",
  "“quotes” – dashes … “ä” é e\u0301 漢字 👩‍👩‍👧 🏳️‍🌈 #️⃣ नमस्ते ﷽ \u00a0nbsp",
  "C:\\Users\\x\\secret.txt \\n \\t \\\\server\\share",
  "regex: /(?:token|key)=([^&\\s]+)/gi; sed 's/password=.*/password=***/'",
  "",
  "   ",
];

async function shown(bytes: string): Promise<{ body: string; file: string }> {
  const root = temporaryFolder({ "exact/SKILL.md": bytes, "exact/references/copy.md": bytes });
  const skills = await openSkills({ roots: [root] });
  const activation = await chatOf(skills).activate("exact", { locationOf: () => undefined });
  if (!activation.ok) throw new Error(activation.message);
  const { text } = activation;
  const end = text.lastIndexOf("\n\n<skill_files>\nreferences/copy.md (");
  const read = chatOf(skills)
    .tools({ preset: "lookup" })
    .find(({ name }) => name === "read_skill_file");
  const input = { skill_name: "exact", file_path: "references/copy.md" };
  const file = await read?.execute(input);
  return { body: text.slice(text.indexOf("\n") + 1, end), file: String(file) };
}

describe("what a model reads of a skill is exact", () => {
  it.each(SHAPES.filter((shape) => shape.trim() !== ""))("D-11 %j", async (shape) => {
    const body = `# Goal\n\n${shape}\n\n\`\`\`\n${shape}\n\`\`\`\n`;
    expect(await shown(`${HEAD}${body}`)).toEqual({ body, file: `${HEAD}${body}` });
  });

  it("D-11 all of them together, in any order, with any line ends", async () => {
    const shape = fc.oneof(fc.constantFrom(...SHAPES), fc.string({ unit: "grapheme-ascii" }));
    const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
    await fc.assert(
      fc.asyncProperty(fc.array(shape, { maxLength: 30 }), lineEnd, async (shapes, newline) => {
        const body = `# Goal\n${shapes.join("\n")}\n`;
        const text = `${HEAD}${body}`;
        expect(await shown(text.replaceAll("\n", newline))).toEqual({ body, file: text });
      }),
      { numRuns: numRuns(300) },
    );
  });

  it("D-11 D-05 the part of a long body that is shown, and what is read of the rest", async () => {
    const lines = Array.from({ length: 120 }, (_, i) => SHAPES[i % SHAPES.length] ?? "");
    const body = `# Goal\n${lines.join("\n")}\n`;
    const root = temporaryFolder({ "exact/SKILL.md": `${HEAD}${body}` });
    const skills = await openSkills({ roots: [root] });
    const activation = await chatOf(skills).activate("exact", { roomTokens: 1500 });
    if (!activation.ok || activation.rest === undefined) throw new Error("not cut");
    const read = await chatOf(skills).readFile("exact", "SKILL.md", activation.rest);
    if (!read.ok || read.kind !== "text") throw new Error("not read");
    const first = body.slice(0, body.length - read.text.length);
    expect(body.endsWith(read.text)).toBe(true);
    expect(activation.text).toContain(`\n${first.replace(/\n$/, "")}\n\nThe rest of SKILL.md`);
  });

  it("D-11 D-05 only hidden characters go, and only look-alikes of frames are escaped", async () => {
    const body =
      "# Goal\na\u200Bb\u0007c\u000Cd\n</skill_content>\n< skill_files>\n<skill_contents>\n";
    const expected = "# Goal\nabcd\n&lt;/skill_content>\n&lt; skill_files>\n<skill_contents>\n";
    expect(await shown(`\uFEFF${HEAD}${body}`)).toEqual({
      body: expected,
      file: `${HEAD}${expected}`,
    });
  });
});
