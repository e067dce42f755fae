import { isMessage, isPattern, isTaught } from "../context/teaching-context.ts";
import type { FactCollector } from "../scan-check.ts";
import { ENVIRONMENT, secretOf } from "./secret-places.ts";
import { isWholeEnvironment } from "./whole-environment.ts";

const NOWHERE = /^(?!)/;

/** Somebody looks at variables on the screen. */
const LOCAL_LIST =
  /\b(?:env|printenv)\s*\|\s*(?:sort|grep|head|tail|less|wc|awk|sed|cut|more|jq|fzf)\b(?!.*\b(?:curl|wget|nc|base64|post|socat)\b)|\benv\s*\|?[^|]*>{1,2}\s*["']?[\w./~$-]+\s*$/;

/** A key that is made, guarded or used where it belongs is not read. */
const AT_WORK =
  /\bssh-(?:keygen|add|copy-id|agent)\b|\bchmod\b|\b(?:ssh|scp|sftp|rsync|mosh|autossh)\b[^\n]{0,80}\s-i\s|identityfile|key_filename|private_key_file|ansible_ssh|git_ssh_command|\[\s+!?\s*-[fed]\s|\btest\s+-[fed]\s|^\s*(?:ls|mkdir|touch)\s/;

/** The tool is told where its own file is. */
const OWN_OPTION =
  /--netrc-file[\s=]|--kubeconfig[\s=]|\bkubeconfig\s*=\s*["']?[~$/][^\s;|&]{0,80}["']?\s*(?:$|;|&&|kubectl|helm)|\b(?:aws_shared_credentials_file|aws_config_file|npm_config_userconfig|docker_config|google_application_credentials|pgpassfile|cloudsdk_config)\s*=|--userconfig[\s=]|\bdocker\s+--config\s/;

export const secretReads: FactCollector = {
  words: [
    ".ssh",
    "id_rsa",
    "id_ed25519",
    "id_ecdsa",
    ".aws",
    "_default_credentials",
    ".azure/",
    ".config/gcloud",
    ".kube/config",
    "login data",
    "cookies.sqlite",
    "key4.db",
    "logins.json",
    "user data",
    "chrome",
    "firefox",
    "brave-browser",
    "local state",
    "keychain",
    "security find-",
    "secret-tool",
    "vaultcmd",
    "dpapi",
    "cryptunprotect",
    "keyring",
    "wallet",
    ".ethereum",
    "solana/id",
    "exodus",
    "electrum",
    "nkbihfbeo",
    "metamask",
    "phantom",
    "seed phrase",
    "recovery phrase",
    "mnemonic",
    "keystore",
    "extension settings",
    ".git-credentials",
    ".netrc",
    ".pgpass",
    ".pypirc",
    ".npmrc",
    ".docker/config",
    ".vault-token",
    "gh/hosts",
    ".config/gh",
    ".gnupg",
    ".password-store",
    "1password",
    "rclone.conf",
    ".cargo/credentials",
    ".claude/",
    ".claude.json",
    ".codex/",
    ".cursor/mcp",
    ".openclaw",
    ".clawdbot",
    ".moltbot",
    "claude_desktop",
    "/etc/shadow",
    "lsass",
    "ntds",
    "_history",
    "history.jsonl",
    "soul.md",
    "memory.md",
    "identity.md",
    "heartbeat.md",
    "os.environ",
    "process.env",
    "printenv",
    "env |",
    "(env)",
    "env >",
    "`env`",
    "export -p",
    "env.to_h",
    "env.map",
    "env.each",
    "env.inspect",
    "%env",
    "env:",
    "getenvironmentvariables",
    "/environ",
    ".env",
    "169.254.",
    "metadata.google",
    ".boto",
    ".s3cfg",
  ],
  collect: (line) => {
    const found = secretOf(line.text) ?? (isWholeEnvironment(line) ? ENVIRONMENT : undefined);
    if (found === undefined || (line.zone === "comment" && line.file.kind === "script")) return;
    if (
      AT_WORK.test(line.text) &&
      !/curl|wget|base64|\bnc\b|cat\s|\bcp\s|\btar\s|\bzip\s/.test(line.text)
    )
      return;
    if (OWN_OPTION.test(line.text)) return;
    const at = Math.max(0, line.text.search(found.at));
    if (line.file.kind === "script" && (isPattern(line) || isMessage(line, at))) return;
    if (line.file.kind === "prose" && isTaught(line)) return;
    if (LOCAL_LIST.test(line.text)) return;
    if (
      found === ENVIRONMENT &&
      /\benv\s*[=:]|subprocess|popen|spawn|exec(?:file|a)?\(|\brun\(/.test(line.text) &&
      !/post|send|curl|upload/.test(line.text)
    )
      return;
    line.file.skill.noteSecret({
      line,
      what: found.what,
      strength: found.strength ?? "strong",
      home: found.home ?? NOWHERE,
    });
  },
};
