// Registers the service worker, and turns push messages on and off on this device. Everything else works without.

const WORKER = "/service-worker.js", FORGET = "/me/push/forget/", SIGN_OUT = "/accounts/logout/";
const section = document.querySelector("[data-push]");
const part = (name) => section.querySelector(`[data-push-${name}]`);
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

const getRegistration = () => navigator.serviceWorker.register(WORKER, { scope: "/" });
const getToken = () => document.querySelector("[name=csrfmiddlewaretoken]")?.value || "";

function post(address, fields) {
  return fetch(address, { method: "POST", body: new URLSearchParams({ csrfmiddlewaretoken: getToken(), ...fields }) });
}

async function computeDigest(address) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(address));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function show(state, problem = "") {
  for (const name of ["on", "off", "unsupported", "denied", "scriptless"]) part(name).hidden = name !== state;
  part("problem").hidden = !problem;
  part("problem").textContent = problem;
}

async function subscribe(registration) {
  const known = await registration.pushManager.getSubscription();
  if (known && text(known.options.applicationServerKey) !== section.dataset.push) await known.unsubscribe();
  return registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytes(section.dataset.push),
  });
}

async function turnOn() {
  const state = await Notification.requestPermission();
  if (state !== "granted") return show(state === "denied" ? "denied" : "off");
  try {
    const subscription = await subscribe(await getRegistration());
    const answer = await post(section.dataset.register, {
      endpoint: subscription.endpoint,
      p256dh: text(subscription.getKey("p256dh")),
      auth: text(subscription.getKey("auth")),
    });
    if (answer.status === 201) return location.reload();
    await subscription.unsubscribe();
    const problem = await answer.json().catch(() => ({}));
    show("off", problem.detail || section.dataset.failed);
  } catch {
    show("off", section.dataset.failed);
  }
}

async function turnOff() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  const subscription = await registration?.pushManager?.getSubscription();
  if (!subscription) return;
  await post(FORGET, { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}

async function begin() {
  if (!("PushManager" in window) || !("Notification" in window)) return show("unsupported");
  part("on").addEventListener("click", () => turnOff().finally(() => location.reload()));
  part("off").addEventListener("click", turnOn);
  const registration = await getRegistration();
  const subscription = await registration.pushManager.getSubscription();
  const own = subscription && section.querySelector(`[data-device="${await computeDigest(subscription.endpoint)}"]`);
  if (own) own.querySelector("[data-this-device]").hidden = false;
  if (Notification.permission === "denied") show("denied");
  else show(own ? "on" : "off");
}

if ("serviceWorker" in navigator) {
  if (section) begin().catch(() => show("unsupported"));
  else getRegistration().catch(() => { /* the site works without it */ });
  // Whoever signs out takes this device along.
  const signOut = document.querySelector(`form[action^="${SIGN_OUT}"]`);
  signOut?.addEventListener("submit", (event) => {
    event.preventDefault();
    const patience = new Promise((resolve) => { setTimeout(resolve, 3000); });
    Promise.race([turnOff().catch(() => {}), patience]).then(() => signOut.submit());
  });
} else if (section) {
  show("unsupported");
}
