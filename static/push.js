// Registers the service worker, and turns push messages on and off on this device. Everything else works without.

const WORKER = "/service-worker.js", FORGET = "/me/push/forget/", SIGN_OUT = "/accounts/logout/";
const section = document.querySelector("[data-push]");
const findPart = (name) => section.querySelector(`[data-push-${name}]`);
const decodeBase64 = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
const encodeBase64 = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

const getRegistration = () => navigator.serviceWorker.register(WORKER, { scope: "/" });
const getToken = () => document.querySelector("[name=csrfmiddlewaretoken]")?.value || "";

function postForm(address, fields) {
  return fetch(address, { method: "POST", body: new URLSearchParams({ csrfmiddlewaretoken: getToken(), ...fields }) });
}

async function computeDigest(address) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(address));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function showState(state, problem = "") {
  for (const name of ["on", "off", "unsupported", "denied", "scriptless"]) findPart(name).hidden = name !== state;
  findPart("problem").hidden = !problem;
  findPart("problem").textContent = problem;
}

async function subscribeToPush(registration) {
  const oldSubscription = await registration.pushManager.getSubscription();
  if (oldSubscription && encodeBase64(oldSubscription.options.applicationServerKey) !== section.dataset.push) await oldSubscription.unsubscribe();
  return registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: decodeBase64(section.dataset.push),
  });
}

async function turnOn() {
  const state = await Notification.requestPermission();
  if (state !== "granted") return showState(state === "denied" ? "denied" : "off");
  try {
    const subscription = await subscribeToPush(await getRegistration());
    const answer = await postForm(section.dataset.register, {
      endpoint: subscription.endpoint,
      p256dh: encodeBase64(subscription.getKey("p256dh")),
      auth: encodeBase64(subscription.getKey("auth")),
    });
    if (answer.status === 201) return location.reload();
    await subscription.unsubscribe();
    const problem = await answer.json().catch(() => ({}));
    showState("off", problem.detail || section.dataset.failed);
  } catch {
    showState("off", section.dataset.failed);
  }
}

async function turnOff() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  const subscription = await registration?.pushManager?.getSubscription();
  if (!subscription) return;
  await postForm(FORGET, { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}

async function startPushSection() {
  if (!("PushManager" in window) || !("Notification" in window)) return showState("unsupported");
  findPart("on").addEventListener("click", () => turnOff().finally(() => location.reload()));
  findPart("off").addEventListener("click", turnOn);
  const registration = await getRegistration();
  const subscription = await registration.pushManager.getSubscription();
  const own = subscription && section.querySelector(`[data-device="${await computeDigest(subscription.endpoint)}"]`);
  if (own) own.querySelector("[data-this-device]").hidden = false;
  if (Notification.permission === "denied") showState("denied");
  else showState(own ? "on" : "off");
}

if ("serviceWorker" in navigator) {
  if (section) startPushSection().catch(() => showState("unsupported"));
  else getRegistration().catch(() => { /* the site works without it */ });
  // Whoever signs out takes this device along.
  const signOut = document.querySelector(`form[action^="${SIGN_OUT}"]`);
  signOut?.addEventListener("submit", (event) => {
    event.preventDefault();
    const timeout = new Promise((resolve) => { setTimeout(resolve, 3000); });
    Promise.race([turnOff().catch(() => {}), timeout]).then(() => signOut.submit());
  });
} else if (section) {
  showState("unsupported");
}
