"use strict";
const fs = require("node:fs");
const { Module } = require("node:module");
const { Script } = require("node:vm");

// What Node 22 does with `enableCompileCache`, for Node 20, where compiling is a third of our start.
// The cache stands beside the code, so that whoever could plant one could have changed the code.

const DIST = fs.realpathSync(`${__dirname}/../dist`);
const CACHES = `${DIST}.cache`;
/** Made after the second run, which finds what the first one left and so goes other ways. */
const SETTLED = "settled";

/** Runs a file of the build, and keeps what was compiled for the next time. */
exports.loadWithCodeCache = function loadWithCodeCache(file) {
  // Flags change what V8 accepts, and coverage what it compiles.
  const { NODE_OPTIONS, NODE_V8_COVERAGE } = process.env;
  if (process.execArgv.length > 0 || NODE_OPTIONS || NODE_V8_COVERAGE) {
    require(`${DIST}/${file}`);
    return;
  }
  const build = `${CACHES}/${nodeName()}-${buildName(file)}`;
  const folder = `${build}/${commandName()}`;
  const isSettled = fs.existsSync(`${folder}/${SETTLED}`);
  const fresh = new Map();
  process.once("exit", (exitCode) => {
    // Wrong usage is not worth keeping, nor is a name that is no command.
    if (fresh.size > 0 && exitCode < 2) keep(fresh, folder, build);
  });
  load(file, { folder, isSettled, fresh });
};

function load(file, cache) {
  const filename = `${DIST}/${file}`;
  const loaded = require.cache[filename];
  if (loaded !== undefined) return loaded.exports;
  const source = fs.readFileSync(filename, "utf8");
  // V8 forgets with a cache who is to be asked for what is imported later.
  if (source.includes("import(")) return require(filename);
  const module = new Module(filename);
  module.filename = filename;
  require.cache[filename] = module;
  const requireFromBuild = (id) => (id.startsWith("./") ? load(id.slice(2), cache) : require(id));
  try {
    const run = compile(file, source, cache);
    run.call(module.exports, module.exports, requireFromBuild, module, filename, DIST);
  } catch (error) {
    delete require.cache[filename];
    throw error;
  }
  module.loaded = true;
  return module.exports;
}

function compile(file, source, { folder, isSettled, fresh }) {
  const cachedData = readCache(`${folder}/${file}`);
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) { ${source}\n})`,
    { filename: `${DIST}/${file}`, cachedData },
  );
  const isUsed = cachedData !== undefined && !script.cachedDataRejected;
  if (!isUsed || !isSettled) fresh.set(file, script);
  return script.runInThisContext();
}

function readCache(path) {
  try {
    return fs.readFileSync(path);
  } catch {
    return undefined;
  }
}

/** By rename; where it cannot be written the next start is as slow as this one, and that is all. */
function keep(fresh, folder, build) {
  try {
    if (!fs.existsSync(build)) removeOlder(build);
    const isSecond = fs.existsSync(folder);
    fs.mkdirSync(folder, { recursive: true });
    for (const [file, script] of fresh) {
      const temporary = `${folder}/.${process.pid}-${file}`;
      fs.writeFileSync(temporary, script.createCachedData(), { flush: true });
      fs.renameSync(temporary, `${folder}/${file}`);
    }
    if (isSecond) fs.writeFileSync(`${folder}/${SETTLED}`, "");
  } catch {
    // A package folder is often not ours to write.
  }
}

/** Caches of earlier builds, for the same Node. */
function removeOlder(build) {
  const names = fs.existsSync(CACHES) ? fs.readdirSync(CACHES) : [];
  for (const name of names) {
    const path = `${CACHES}/${name}`;
    const isOlder = name.startsWith(`${nodeName()}-`) && path !== build;
    if (isOlder) fs.rmSync(path, { recursive: true, force: true });
  }
}

/** A cache holds what ran before it was made, which differs from command to command. */
function commandName() {
  const [, , word = ""] = process.argv;
  return /^[a-z]{2,12}$/.test(word) ? word : "other";
}

function nodeName() {
  return `${process.version}-${process.arch}`;
}

/** V8 compares only the length of a source, so that each build has caches of its own. */
function buildName(file) {
  const { mtimeMs, size, ino } = fs.statSync(`${DIST}/${file}`);
  return `${Math.round(mtimeMs).toString(36)}-${size.toString(36)}-${ino.toString(36)}`;
}
