"""Scratch: write mails to /tmp/mails."""
import base64, pytest, re
from datetime import timedelta
from django.test import override_settings
from games.models import Delivery, Seat, Message
from games.mail import compose
from games.services import turns, clocks
from games import selectors, links
from tests.games.cast import NOW, game_of, player
pytestmark = pytest.mark.django_db

def play_some(code, n, rnd):
    import random
    r = random.Random(rnd)
    for i in range(n):
        t = selectors.table(code)
        st = t.state
        if st.over: break
        seat = st.to_act[0]
        from games.engine import legal_actions
        legal = legal_actions(st, seat)
        # prefer placement closing/draw
        a = r.choice(legal) if st.phase != "start" else ("draw" if r.random() < .8 else r.choice(legal))
        p = t.place(seat).player
        turns.play(player=player(p.name), code=code, text=a, seq=st.seq, key="", now=NOW+timedelta(minutes=i))

def out(name, mail):
    m = mail.message()
    html = None
    pics = {}
    for part in m.walk():
        if part.get_content_type() == "text/html": html = part.get_payload(decode=True).decode()
        if part.get_content_type() == "image/png": pics[part["Content-ID"].strip("<>")] = part.get_payload(decode=True)
        if part.get_content_type() == "text/plain": open(f"/tmp/mails/{name}.txt","w").write("\n".join(f"{k}: {v}" for k,v in m.items())+"\n\n"+part.get_payload(decode=True).decode())
    open(f"/tmp/mails/{name}-off.html","w").write(re.sub(r'src="cid:', 'src="missing:', html))
    for cid, png in pics.items():
        print(name, cid, len(png))
        html = html.replace(f"cid:{cid}", "data:image/png;base64,"+base64.b64encode(png).decode())
    open(f"/tmp/mails/{name}.html","w").write(html)
    open(f"/tmp/mails/{name}.eml","wb").write(m.as_bytes())
    print(name, len(m.as_bytes()))

@override_settings(REPLY_DOMAIN="play.example.org", SITE_URL="https://otto.example.org", DEFAULT_FROM_EMAIL="OTTO online <otto@otto.example.org>")
@pytest.mark.parametrize("lang,zone", [("en","Europe/London"),("it","Europe/Rome"),("nl","Europe/Amsterdam")])
def test_render(lang, zone):
    g = game_of("ada","bob")
    play_some(g.code, 44, 8)
    def mk(kind, game=g, who=None, **data):
        g.refresh_from_db()
        seat = next(s for s in range(1,3) if g.to_act >> s & 1)
        p = who or Seat.objects.get(game=g, number=seat).player
        p.language, p.time_zone = lang, zone
        p.save()
        w = clocks.watch_of(g, seat)
        d = Delivery.objects.create(player=p, game=game, kind=kind, reason=f"x{kind}", data={"seq": w.turn, "game": g.code, **data}, made_at=NOW, due_at=NOW)
        return d
    now = NOW + timedelta(hours=5)
    Message.objects.create(game=g, player=player("bob"), text="Nice <b>8</b> coming? & good luck!", at=NOW+timedelta(hours=1))
    Message.objects.create(game=g, player=player("ada"), text="We will see.", at=NOW+timedelta(hours=2))
    d = mk("turn"); out(f"turn-{lang}", compose.message(d, now=now))
    d = mk("reminder"); out(f"reminder-{lang}", compose.message(d, now=now + timedelta(days=3)))
    d = mk("timeout", seat=1, what="autoplay", actions=[]); out(f"timeout-{lang}", compose.message(d, now=now))
    d = mk("digest", game=None); out(f"digest-{lang}", compose.message(d, now=now))
    d = mk("vacation", game=None, left=86400*3); out(f"vacation-{lang}", compose.message(d, now=now))
    d = mk("test", game=None); out(f"test-{lang}", compose.message(d, now=now))
    d = mk("cancelled"); out(f"cancelled-{lang}", compose.message(d, now=now))
    for outcome in ("played","refused","confirm","late"):
        d = mk("reply", outcome=outcome, text="B-b3-90: the rules say no.", in_reply_to="<abc@x>"); d.reason+=outcome
        out(f"reply-{outcome}-{lang}", compose.message(d, now=now)); d.delete()

    names = ("ada","bob","cleo","dirk")
    h = game_of(*names, mode="pairs"); play_some(h.code, 30, 11); h.refresh_from_db()
    seat = next(s for s in range(1,5) if h.to_act >> s & 1)
    p = Seat.objects.get(game=h, number=seat).player
    p.language, p.time_zone = lang, zone; p.save()
    def mh(kind, **data):
        return Delivery.objects.create(player=p, game=h, kind=kind, reason=f"y{kind}", data={"seq": clocks.watch_of(h, seat).turn, **data}, made_at=NOW, due_at=NOW)
    out(f"pairs-{lang}", compose.message(mh("turn"), now=now))
    out(f"blind-{lang}", compose.message(mh("blind"), now=now))
    other = Seat.objects.get(game=h, number=seat % 4 + 1).player
    turns.play(player=other, code=h.code, text="resign", seq=None, key="", now=now)
    out(f"over-{lang}", compose.message(mh("over"), now=now))
    from games.services import lobby, invitations as inv
    from games.mail import invitations
    k = lobby.create(player=p, now=NOW)
    i = inv.invite(player=p, code=k.code, now=NOW, email="guest@example.org")
    out(f"invitation-{lang}", invitations.message(i))
