import type { ScanLine } from "../../context/scan-line.ts";
import { isForbidden, isMessage, isPattern, isTaught } from "../../context/teaching-context.ts";
import type { ScanCheck } from "../../scan-check.ts";

/** What anybody may clear away, wherever it is. */
const JUNK = String.raw`-i?name\s+["']?(?:\.ds_store|thumbs\.db|\._\*|__pycache__|node_modules|\.pytest_cache|\.mypy_cache|desktop\.ini|core\b|\*?~|[*\w.-]{0,20}\.(?:pyc|pyo|tmp|temp|log|bak|swp|swo|orig|rej|cache|pid|part|crdownload))|-empty\b|-xtype\s+l\b`;
const WIPES = new RegExp(
  [
    String.raw`\brm\s+(?:-\w+\s+|--[\w-]+\s+){0,4}-?(?:\w*r\w*f|\w*f\w*r|-recursive)\w*\s+(?:--\s+|--no-preserve-root\s+|-\w+\s+){0,2}["']?(?:/(?:\*|\s|["']|$|;|&|\|)|/(?:etc|usr|bin|boot|var|home|lib|opt|root|users|system|library)/?(?:\*|\s|["']|$|;)|~/?(?:\*|\s|["']|$|;|&|\.\*)|[$]\{?home\}?/?["']?(?:/?\*|\s|$|;|&)|~/(?:documents|desktop|pictures|projects|\.ssh|\.\*)/?(?:\s|\*|$|["';&]))`,
    String.raw`--no-preserve-root`,
    String.raw`\bmkfs(?:\.\w+)?\s+(?:-\w+\s+){0,3}["']?/dev/(?:sd|nvme|hd|vd|xvd|disk|mmcblk)`,
    String.raw`\bdd\b[^\n]{0,80}\bof=["']?/dev/(?:sd|nvme|hd|vd|xvd|r?disk|mmcblk)`,
    String.raw`>\s*/dev/(?:sd[a-z]|nvme\d|hd[a-z]|vd[a-z])\b`,
    String.raw`:\s*\(\s*\)\s*\{\s*:\s*\|\s*:\s*&?\s*\}\s*;\s*:|\bwhile\s+(?:true|:)\s*;\s*do\s+[$]0\s*&`,
    String.raw`\bfind\s+(?:-\w\s+)?["']?(?:/|~/?|[$]\{?home\}?/?|/(?:home|users|etc|usr|var|root)/?|(?:~|[$]\{?home\}?)/(?:documents|desktop|pictures|projects))["']?\s(?![^\n]{0,160}(?:${JUNK}))[^\n]{0,200}(?:-delete\b|-exec(?:dir)?\s+(?:sudo\s+)?(?:rm|shred|wipe|unlink|sh|bash)\b|\|\s*(?:sudo\s+)?(?:xargs|parallel|while\s+(?:ifs=\S{0,8}\s+)?read)\b[^\n]{0,80}\b(?:rm|shred|wipe|unlink)\b)`,
    String.raw`\b(?:shred|wipe)\s+(?:-\w+\s+){0,4}["']?(?:~|[$]home|/home|/etc|/dev/(?:sd|nvme))`,
    String.raw`\b(?:del|erase|rd|rmdir)\s+(?:/\w\s+){1,4}["']?(?:c:\\?(?:\*|windows|users|\s|$|["'])|%userprofile%|%systemroot%)|\bformat\s+c:|remove-item\b[^\n]{0,60}(?:-recurse[^\n]{0,40}(?:c:\\(?:\s|["']|\*|$|users|windows)|[$]home\b(?!\\)|[$]env:userprofile\b(?!\\)|~\s)|(?:c:\\(?:\*|["']|users|windows)|[$]home\b(?!\\)|[$]env:userprofile\b(?!\\))[^\n]{0,40}-recurse)`,
    String.raw`\bshutil\.rmtree\(\s*(?:os\.path\.expanduser\(\s*["']~["']\s*\)|path\.home\(\)\s*[,)]|["'](?:/|~|/home|/etc|/usr)["'])`,
    String.raw`\b(?:rmsync|rm|rmdirsync|rimraf|remove)\(\s*(?:os\.homedir\(\)\s*[,)]|["'](?:/|/home|/etc)["']|process\.env\.home\s*[,)])`,
    String.raw`\bvssadmin\s+delete\s+shadows|\bwbadmin\s+delete|\bbcdedit\b[^\n]{0,60}recoveryenabled\s+no|\bcipher\s+/w:c|\btmutil\s+delete(?:localsnapshots)?\s+/`,
    String.raw`\bchmod\s+(?:-r\s+|-\w*r\w*\s+)000\s+/|\bmv\s+(?:~|[$]home|/)\S{0,3}\s+/dev/null`,
  ].join("|"),
);
const HISTORY =
  /\bgit\b[^\n]{0,60}\bpush\b[^\n]{0,60}(?:--force\b(?!-with)|\s-f\b|--mirror|--delete)/;
const WIPED =
  /filter-branch|filter-repo|reflog\s+expire|gc\s+--prune=now|checkout\s+--orphan|update-ref\s+-d|reset\s+--hard\s+(?:[0-9a-f]{7,}|\$|root)|branch\s+-d\s/;
const DATABASE =
  /\bdrop\s+(?:database|schema)\b(?!\s+if\s+exists\s+(?:test|tmp|temp|dev|\w*_test))|\bdropdatabase\(|\btruncate\s+table\b[^\n]{0,40}\bcascade\b|\bflushall\b(?!\s*(?:\.|\())/;

export const destructiveCommand: ScanCheck = {
  id: "destructive-command",
  severity: "critical",
  category: "destructive",
  summary: "A command erases a disk, the home folder, the system, backups or a whole history.",
  explanation:
    "Nothing that a skill is for needs the home folder, a device or all backups gone. A skill that cleans up names what it made, below its own folder, and asks first.",
  words: [
    " rm ",
    ";rm ",
    "`rm ",
    "rm -",
    "no-preserve-root",
    "mkfs",
    "of=/dev",
    "> /dev/",
    ">/dev/sd",
    ":(){",
    ":|:",
    "find ",
    "shred",
    "wipe ",
    "del /",
    "erase /",
    "rd /",
    "rmdir /",
    "format c:",
    "remove-item",
    "rmtree",
    "rmsync",
    "rimraf",
    "rm(",
    "vssadmin",
    "wbadmin",
    "bcdedit",
    "tmutil",
    "chmod -r",
    "drop database",
    "drop schema",
    "dropdatabase",
    "flushall",
    "push",
    "dev/null",
    "$0 &",
    "cipher /w",
    "truncate",
  ],
  look: (line) => {
    const at = line.text.search(WIPES);
    if (at === -1 && !HISTORY.test(line.text) && !DATABASE.test(line.text)) return undefined;
    if (line.zone === "comment" || line.zone === "frontmatter") return undefined;
    if (at !== -1 && !isShown(line, at)) {
      if (line.isProse && !/\b(?:run|execute|then|finally|clean|step)\b/.test(line.text))
        return undefined;
      if (
        /docker|container|chroot|\/dev\/sdx|\/dev\/diskn|mnt\/|[$]\{?rootfs|\/apt\/lists|\bvm\b|sandbox/.test(
          line.text,
        )
      )
        return undefined;
      return {
        message: "It erases more than a skill could own",
        severity:
          line.quotesAttacks ||
          (isAboutDisks(line) && /\b(?:dd|mkfs|format|wipe|shred)\b/.test(line.text))
            ? "medium"
            : "critical",
      };
    }
    return line.isCode ? lookAtHistory(line) : undefined;
  },
};

function lookAtHistory(line: ScanLine) {
  if (line.zone !== "code") return undefined;
  if (HISTORY.test(line.text) && WIPED.test(line.around(8, 4)) && !isShown(line, 0)) {
    const explained =
      /history|rewrite|filter|purge|rebase|git\b|clean|secret|squash|orphan|pages|deploy|publish/.test(
        line.file.skill.profile.claim,
      );
    return {
      message: "It erases the history of a repository and forces that on others",
      severity: explained ? "medium" : "high",
    } as const;
  }
  const at = line.text.search(DATABASE);
  if (
    at === -1 ||
    isShown(line, at) ||
    /test|migrat|seed|fixture|rollback|down/.test(line.file.path.toLowerCase())
  )
    return undefined;
  const explained = /database|sql|postgres|mysql|mongo|redis|db\b|migrat|schema/.test(
    line.file.skill.profile.claim,
  );
  return explained
    ? undefined
    : ({ message: "It drops a whole database", severity: "high" } as const);
}

const isAboutDisks = (line: ScanLine): boolean =>
  /\bdisk|partition|format(?:ting)? (?:drive|disk|sd)|bootable|usb|flash|raspberry|arch linux|lvm|raid|filesystem|storage|provision|imag(?:e|ing) (?:sd|disk)|uninstall|iso\b/.test(
    line.file.skill.profile.claim,
  );

function isShown(line: ScanLine, at: number): boolean {
  if (line.file.kind === "prose")
    return (
      isTaught(line) ||
      isForbidden(line, at) ||
      /\b(?:block|deny|denied|confirm|danger|irreversible|ask|hook|guard|prevent|protect|destructive|catastroph|risky)\w*\b/.test(
        line.around(2, 1),
      )
    );
  return (
    isMessage(line, at) ||
    isPattern(line) ||
    /^\s*["'`([{]/.test(line.raw) ||
    /\b(?:deny|block|danger|forbid|unsafe|destructive)\w*\b/.test(line.around(4, 1)) ||
    /(?:==|===|\bin\b|includes\(|assert|expect\()/.test(line.text)
  );
}
