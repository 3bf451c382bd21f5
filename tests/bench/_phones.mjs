// Open pages of phones, which follow the live stream and load their parts as the browser's scripts do: when and what is decided by
// static/js/loader.js itself.
//
//   node tests/bench/_phones.mjs      reads [{"url": "http://…", "path": "/t/…/", "marker": "regular expression", "address": "127.0.0.1"}]
//
// Prints "watching" once all are connected; at the end of its input prints, as JSON, for each phone its loads: [when (Unix ms), part,
// status, version (of the ETag), what the marker captured].

import http from "node:http";
import readline from "node:readline";
import { gunzipSync } from "node:zlib";
import { concerns, Loader } from "../../static/js/loader.js";

const AT_ONCE = 20; // pages opened at a time
const RECONNECT = 2_000; // ms

/** @param {object} phone @param {string} path @param {Record<string, string>} headers */
function get({ url, address, agent }, path, headers = {}) {
  const options = { agent, localAddress: address, headers: { "accept-encoding": "gzip", "accept-language": "en", ...headers } };
  return new Promise((resolve, reject) => {
    http.get(new URL(path, url), options, (response) => {
      const pieces = [];
      response.on("data", (piece) => pieces.push(piece));
      response.on("error", reject);
      response.on("end", () => {
        const body = Buffer.concat(pieces);
        const isCompressed = response.headers["content-encoding"] === "gzip";
        resolve({ status: response.statusCode, headers: response.headers, text: String(isCompressed ? gunzipSync(body) : body) });
      });
    }).on("error", reject);
  });
}

/** @param {string} tag @param {string} name */
const attribute = (tag, name) => tag.match(new RegExp(`\\s${name}="([^"]*)"`))?.[1].replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** Whether the page is inside a folded part there. @param {string} html */
const isFolded = (html) => (html.match(/<details(?![^>]*\sopen)/g) ?? []).length > (html.match(/<\/details>/g) ?? []).length;

/** The parts of a page that are loaded again. @param {string} html */
function partsOf(html) {
  const pagePlaces = html.match(/\sdata-places="([^"]*)"/)?.[1];
  return [...html.matchAll(/<[a-z]+\s[^>]*data-refresh="[^>]*>/g)]
    .filter(({ index }) => !isFolded(html.slice(0, index)))
    .map(([tag]) => ({
      path: attribute(tag, "data-refresh"),
      topic: attribute(tag, "data-refresh-on") ?? "event",
      pace: Number(attribute(tag, "data-refresh-pace") ?? 0) || undefined,
      places: attribute(tag, "data-places") ?? pagePlaces ?? "all",
    }));
}

class Phone {
  /** @param {{url: string, path: string, marker: string, address: string}} options */
  constructor(options) {
    Object.assign(this, options);
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 6 });
    this.streamAgent = new http.Agent();
    this.loads = [];
    this.etags = new Map();
  }

  async open() {
    const page = await get(this, this.path);
    if (page.status !== 200) throw new Error(`${this.path}: ${page.status}`);
    this.note("page", page);
    const live = page.text.match(/data-live="([^"]+)"/)[1].replaceAll("&amp;", "&");
    this.parts = partsOf(page.text).map((part) => ({ ...part, loader: new Loader(() => this.load(part.path), { pace: part.pace }) }));
    return new Promise((resolve) => this.follow(live, resolve));
  }

  note(part, { status, headers, text }) {
    const version = Number(headers.etag?.match(/"(\d+)-/)?.[1] ?? 0);
    this.loads.push([Date.now(), part, status, version, text.match(new RegExp(this.marker, "s"))?.[1] ?? ""]);
  }

  async load(path) {
    const etag = this.etags.get(path);
    const answer = await get(this, path, etag ? { "if-none-match": etag } : {});
    if (answer.headers.etag) this.etags.set(path, answer.headers.etag);
    this.note(path, answer);
    return { ok: answer.status === 200 || answer.status === 304, status: answer.status, headers: { get: (name) => answer.headers[name] ?? null } };
  }

  follow(path, onOpen) {
    const headers = this.seen ? { "last-event-id": this.seen } : {};
    const request = http.get(new URL(path, this.url), { agent: this.streamAgent, localAddress: this.address, headers }, (response) => {
      if (response.statusCode !== 200) this.loads.push([Date.now(), "stream", response.statusCode, 0, ""]);
      let rest = "";
      response.setEncoding("utf8");
      response.on("data", (piece) => {
        if (rest.length + piece.length > 0) onOpen();
        const frames = (rest + piece).split("\n\n");
        rest = frames.pop() ?? "";
        for (const frame of frames) this.read(frame);
      });
      response.on("close", () => setTimeout(() => this.follow(path, onOpen), RECONNECT));
    });
    request.on("error", () => setTimeout(() => this.follow(path, onOpen), RECONNECT));
  }

  read(frame) {
    const data = frame.match(/^data: (.*)$/m)?.[1];
    if (!data) return;
    this.seen = frame.match(/^id: (.*)$/m)?.[1];
    const change = JSON.parse(data);
    for (const { topic, places, loader } of this.parts) {
      if (concerns(change, topic, places)) loader.changed(places !== "all" && "table" in change ? undefined : change.spread);
    }
  }
}

const lines = readline.createInterface({ input: process.stdin });
const [phones] = await new Promise((resolve) => lines.once("line", (line) => resolve([JSON.parse(line).map((phone) => new Phone(phone))])));
const waiting = [...phones];
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let phone = waiting.pop(); phone; phone = waiting.pop()) await phone.open();
  }),
);
console.log("watching");
await new Promise((resolve) => lines.once("close", resolve));
process.stdout.write(JSON.stringify(phones.map((phone) => phone.loads)), () => process.exit());
