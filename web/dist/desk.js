/*! AiSHA, Apache-2.0; with lit, marked, DOMPurify, eventsource-parser: NOTICES.txt */
import{A as e,B as t,C as s,D as a,E as i,a as n,b as r,c as l,d as o,e as d,f as h,g as c,h as u,i as p,j as m,k as g,l as f,m as v,n as y,o as b,r as w,s as $,t as k,u as x,v as _,w as z,y as T,z as S}from"./parts/chunk-H47HTJYR.js";import{a as E}from"./parts/chunk-DHP5BHIK.js";var M=class extends o{constructor(){super(...arguments),this.earlier=[],this.placeholder="",this.heard="",this.busy=!1,this.listening=!1,this.voice=!1,this.planning=!1,this.calls=!1,this.text="",this.recalled=-1}fill(e){this.text=e,this.area.value=e,this.fit()}updated(){this.listening&&this.area.value!==this.heard&&(this.area.value=this.heard,this.fit())}render(){let{words:e}=this,t=this.text.length-8e3;return r`<div class="box ${this.listening?"listening":""}">
<textarea
rows="1"
dir="auto"
enterkeyhint="send"
aria-label=${e.say("message_box")}
aria-describedby="hint"
placeholder=${this.listening?e.say("placeholder_listening"):this.placeholder}
?readonly=${this.listening}
@input=${this.typed}
@keydown=${this.pressed}
></textarea>
<span id="hint" class="hidden-text">${e.say("keys_hint")}</span>
${this.plan()} ${this.voice?this.microphone():l} ${this.calls&&!this.text?this.call():l}
${this.busy?r`<button
class="icon-button send"
aria-label=${e.say("stop")}
title=${e.say("stop")}
@click=${this.stop}
>
${f("stop",16)}
</button>`:r`<button
class="icon-button send"
aria-label=${e.say("send")}
title=${e.say("send")}
?disabled=${!this.text.trim()||t>0||this.listening}
@click=${this.send}
>
${f("send")}
</button>`}
</div>
${t>0?r`<p class="problem" role="alert">${e.say("too_long",{count:e.number(t)})}</p>`:l}`}call(){let e=this.words.say("call");return r`<button
class="icon-button"
aria-label=${e}
title=${e}
?disabled=${this.busy||this.listening}
@click=${()=>this.tell("call")}
>
${f("call")}
</button>`}plan(){let e=this.words.say("plan_first");return r`<button
class="icon-button plan"
aria-label=${e}
title="${e}: ${this.words.say("plan_about")}"
aria-pressed=${this.planning}
@click=${()=>this.tell("plan")}
>
${f("plan")}
</button>`}microphone(){let e=this.words.say(this.listening?"talking":"talk");return r`<button
class="icon-button mic"
aria-label=${e}
title=${e}
aria-pressed=${this.listening}
?disabled=${this.busy}
@pointerdown=${e=>0===e.button&&this.tell("talk")}
@pointerup=${()=>this.tell("release")}
@pointercancel=${()=>this.tell("release")}
@lostpointercapture=${()=>this.listening&&this.tell("release")}
@keydown=${e=>C(e)&&!e.repeat&&this.tell("talk")}
@keyup=${e=>C(e)&&this.tell("release")}
@contextmenu=${e=>e.preventDefault()}
>
${f("mic")}
</button>`}typed(){this.text=this.area.value,this.recalled=-1,this.fit()}pressed(e){e.isComposing||("Enter"!==e.key||e.shiftKey||e.altKey?("ArrowUp"===e.key&&!this.text||this.recalled>=0&&/^Arrow(Up|Down)$/.test(e.key))&&this.recall(e):(e.preventDefault(),this.send()))}recall(e){let t=this.recalled+("ArrowUp"===e.key?1:-1);t>=this.earlier.length||(e.preventDefault(),this.fill(t<0?"":this.earlier[t]),this.recalled=t,this.area.setSelectionRange(this.text.length,this.text.length))}send(){let e=this.text.trim();!e||this.busy||e.length>8e3||(this.fill(""),this.recalled=-1,this.tell("send",e))}stop(){this.tell("stop"),this.area.focus()}fit(){this.area.style.height="auto",this.area.style.height=`${Math.min(this.area.scrollHeight,180)}px`}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t}))}};function C(e){return" "===e.key||"Enter"===e.key}M.shadowRootOptions={...o.shadowRootOptions,delegatesFocus:!0},M.styles=[b,n`:host{display:block;padding:var(--aisha-2) var(--aisha-4) var(--aisha-3)}.box{display:flex;align-items:flex-end;gap:var(--aisha-1);max-inline-size:760px;margin-inline:auto;padding:5px;background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius-l)}.box:focus-within{border-color:var(--aisha-accent);box-shadow:0 0 0 1px var(--aisha-accent)}.box.listening{border-color:var(--aisha-danger)}textarea{flex:1;min-inline-size:0;min-block-size:36px;max-block-size:180px;padding:7px var(--aisha-2);line-height:22px;font-size:var(--aisha-text-m);resize:none;border:0;outline:0;background:none;scrollbar-width:thin;overflow-wrap:anywhere}textarea::placeholder{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}textarea:focus-visible{outline:none}.send{background:var(--aisha-accent-fill);color:var(--aisha-on-accent);border-radius:11px}.send:hover:not(:disabled){background:var(--aisha-accent-fill);color:var(--aisha-on-accent);filter:brightness(1.1)}.send:disabled{background:var(--aisha-hover);color:var(--aisha-muted);opacity:1}.plan[aria-pressed=true]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}.mic[aria-pressed=true]{background:var(--aisha-danger-fill);color:#fff}.problem{max-inline-size:760px;margin:var(--aisha-1) auto 0;padding-inline:var(--aisha-2);font-size:var(--aisha-text-xs);color:var(--aisha-danger)}`],E([d({attribute:!1})],M.prototype,"words",2),E([d({attribute:!1})],M.prototype,"earlier",2),E([d()],M.prototype,"placeholder",2),E([d()],M.prototype,"heard",2),E([d({type:Boolean})],M.prototype,"busy",2),E([d({type:Boolean})],M.prototype,"listening",2),E([d({type:Boolean})],M.prototype,"voice",2),E([d({type:Boolean})],M.prototype,"planning",2),E([d({type:Boolean})],M.prototype,"calls",2),E([h()],M.prototype,"text",2),E([c("textarea")],M.prototype,"area",2),M=E([g("aisha-composer")],M);var A=class extends o{constructor(){super(...arguments),this.mood=null,this.name="",this.state="idle",this.view="chat",this.minimisable=!1,this.fresh=!1,this.aloud=!1}render(){let{words:e,mood:t}=this;return r`
<span class="mark" aria-hidden="true">${this.name.slice(0,1)}</span>
<div class="who">
<h2>${this.name}</h2>
<p>
<span class="light ${this.state}" aria-hidden="true"></span>
<span>${e.say(`state_${this.state}`)}</span>
${t?this.moodMark(t):l}
</p>
</div>
${this.sound()} ${this.button("new_conversation","plus",()=>this.tell("clear"),void 0,this.fresh)}
${this.button("history","history",()=>this.show("history"),"history"===this.view)}
${this.button("settings","settings",()=>this.show("settings"),"settings"===this.view)}
${this.minimisable?this.button("minimise","minimise",()=>this.tell("minimise")):l}
`}moodMark(e){let t=this.words.say("mood",{mood:this.words.named("mood_",e.sentiment,e.sentiment)});return r`<span role="img" aria-label=${t} title=${t}>${e.emoji}</span>`}button(e,t,s,a,i=!1){let n=this.words.say(e);return r`<button
class="icon-button"
aria-label=${n}
title=${n}
aria-expanded=${a??l}
?disabled=${i}
@click=${s}
>
${f(t)}
</button>`}sound(){let e=this.words.say("read_answers");return r`<button
class="icon-button"
aria-label=${e}
title=${this.aloud?this.words.say("mute"):e}
aria-pressed=${this.aloud}
@click=${()=>this.tell("sound")}
>
${f(this.aloud?"speak":"mute")}
</button>`}show(e){this.dispatchEvent(new CustomEvent("view",{detail:this.view===e?"chat":e}))}tell(e){this.dispatchEvent(new CustomEvent(e))}};A.styles=[b,n`:host{display:flex;align-items:center;gap:var(--aisha-1);min-block-size:56px;padding:var(--aisha-2) var(--aisha-3) var(--aisha-2) var(--aisha-4);padding-inline:var(--aisha-4) var(--aisha-2);border-block-end:1px solid var(--aisha-line)}.mark{position:relative;display:grid;place-items:center;inline-size:32px;block-size:32px;flex:none;margin-inline-end:var(--aisha-2);border-radius:10px;background:var(--aisha-accent-fill);color:var(--aisha-on-accent);font-weight:700}.who{flex:1;min-inline-size:0;line-height:1.3}h2{margin:0;font-size:var(--aisha-text-m);font-weight:650;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}p{display:flex;align-items:center;gap:6px;margin:0;font-size:var(--aisha-text-xs);color:var(--aisha-muted)}.light{inline-size:8px;block-size:8px;border-radius:50%;background:var(--aisha-good)}.light.processing,.light.listening,.light.speaking{background:var(--aisha-accent);animation:pulse 1.2s ease-in-out infinite}.light.error{background:var(--aisha-danger)}.light.offline{background:var(--aisha-warn)}@keyframes pulse{50%{opacity:.35}}`],E([d({attribute:!1})],A.prototype,"words",2),E([d({attribute:!1})],A.prototype,"mood",2),E([d()],A.prototype,"name",2),E([d()],A.prototype,"state",2),E([d()],A.prototype,"view",2),E([d({type:Boolean})],A.prototype,"minimisable",2),E([d({type:Boolean})],A.prototype,"fresh",2),E([d({type:Boolean})],A.prototype,"aloud",2),A=E([g("aisha-header")],A);var D={"not-allowed":"microphone","service-not-allowed":"microphone","audio-capture":"microphone","no-speech":"no_speech",network:"unreachable"};function L(){let e=globalThis;return e.SpeechRecognition??e.webkitSpeechRecognition}var N=class{constructor(e,t){this.recogniser=new(L()),Object.assign(this.recogniser,{lang:e,continuous:!0,interimResults:!0}),this.heard=new Promise(e=>{let s="",a=null;this.recogniser.addEventListener("result",e=>{let{results:a}=e;s=Array.from(a,e=>e[0].transcript).join(" ").replace(/\s+/g," ").trim(),t(s)}),this.recogniser.addEventListener("error",e=>{let t=e.error;a={problem:D[t]??"no_speech"}}),this.recogniser.addEventListener("end",()=>e(s?{text:s}:a??{problem:"no_speech"}))}),this.recogniser.start()}finish(){this.recogniser.stop()}},P="aisha.";function O(e){try{return localStorage.getItem(P+e)}catch{return null}}function U(e,t){try{null===t?localStorage.removeItem(P+e):localStorage.setItem(P+e,t)}catch{}}var I={accept:"suggestion_done",dismiss:"suggestion_dismissed",snooze:"suggestion_snoozed"},R=class extends o{constructor(){super(...arguments),this.items=[],this.busy=null,this.failures=new Map}connectedCallback(){super.connectedCallback(),this.load()}render(){let{words:e,items:t}=this;return t.length?r`<h3>${e.say("open_suggestions")}</h3>
<ul>
${t.map(t=>r`<li>
${t.priority>=9?r`<span class="urgent">${e.say("urgent")}</span>`:l}
<button class="record" @click=${()=>this.actions.openRecord(t.entity)}>
${v(t.entity.type)}<span dir="auto">${t.entity.name}</span>
</button>
<p dir="auto">${t.text}</p>
${this.failures.has(t.id)?r`<p class="failed" role="alert">${this.failures.get(t.id)}</p>`:l}
<div class="buttons">
${t.tool?this.button(t,"accept","suggestion_accept"):l}
${this.button(t,"snooze","suggestion_snooze")}
${this.button(t,"dismiss","suggestion_dismiss")}
</div>
</li>`)}
</ul>`:l}button(e,t,s){return r`<button
class="button ${"accept"===t?"primary":""}"
aria-label="${this.words.say(s)}: ${e.entity.name}"
?disabled=${null!==this.busy}
@click=${()=>this.decide(e,t)}
>
${this.words.say(s)}
</button>`}async load(){try{let e={limit:3};this.items=(await m(this.api.rest.GET("/api/ai/suggestions",{params:{query:e}}))).suggestions}catch{this.items=[]}}async decide(e,t){this.busy=e.id,this.failures=new Map([...this.failures].filter(([t])=>t!==e.id));let s={path:{id:e.id}},{rest:a}=this.api;try{"dismiss"===t?await a.POST("/api/ai/suggestions/{id}/dismiss",{params:s}):"snooze"===t?await a.POST("/api/ai/suggestions/{id}/snooze",{params:s,body:{}}):await this.accept(e,await m(a.POST("/api/ai/suggestions/{id}/accept",{params:s,body:{}}))),this.items=this.items.filter(t=>t.id!==e.id),this.actions.announce(this.words.say(I[t])),this.items.length||await this.load()}catch(t){this.failures=new Map(this.failures).set(e.id,x(k(t),this.words))}finally{this.busy=null}}async accept(e,t){if(!t.success){let s=t.toolCall?.error?.message;throw new Error("string"==typeof s?s:e.text)}let{changes:s}=w(t.toolCall?.result);this.dispatchEvent(new CustomEvent("changes",{detail:s}))}};R.styles=[b,n`:host{display:block}h3{margin:var(--aisha-5) 0 var(--aisha-2);font-size:var(--aisha-text-s);font-weight:600}ul{display:grid;gap:var(--aisha-2);margin:0;padding:0;list-style:none}li{padding:var(--aisha-3);border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);font-size:var(--aisha-text-s);line-height:1.45}.record{display:inline-flex;align-items:center;gap:6px;max-inline-size:100%;font-weight:600;text-align:start;color:var(--aisha-accent);overflow-wrap:anywhere}.record svg{flex:none}.urgent{float:inline-end;padding:1px 8px;font-size:var(--aisha-text-xs);color:var(--aisha-warn);background:var(--aisha-warn-soft);border-radius:10px}p{margin:var(--aisha-1) 0 var(--aisha-2);overflow-wrap:anywhere}.failed{color:var(--aisha-danger)}.buttons{display:flex;flex-wrap:wrap;gap:var(--aisha-2)}.buttons .button{min-block-size:30px;padding:3px 12px}`],E([d({attribute:!1})],R.prototype,"api",2),E([d({attribute:!1})],R.prototype,"words",2),E([d({attribute:!1})],R.prototype,"actions",2),E([h()],R.prototype,"items",2),E([h()],R.prototype,"busy",2),E([h()],R.prototype,"failures",2),R=E([g("aisha-suggestions")],R);var j=["why_wrong","why_misread","why_incomplete","why_slow","why_other"],W=class extends o{constructor(){super(...arguments),this.isAsking=!1}render(){let{feedback:e}=this.message;return r`${this.thumb("up","good_answer","up")} ${this.thumb("down","bad_answer","thumbDown")}
${this.isAsking&&"down"===e?r`<div class="why" role="group" aria-label=${this.words.say("why_bad")}>
<span>${this.words.say("why_bad")}</span>
${j.map(e=>r`<button class="button" @click=${()=>this.rate("down",e)}>
${this.words.say(e)}
</button>`)}
</div>`:l}`}thumb(e,t,s){let a=this.words.say(t);return r`<button
class="icon-button small"
aria-label=${a}
title=${a}
aria-pressed=${this.message.feedback===e}
@click=${()=>this.rate(e)}
>
${f(s,15)}
</button>`}rate(e,t){this.isAsking="down"===e&&!t,this.actions.rate(this.message.key,e,t?.replace("why_","")),this.isAsking||this.actions.announce(this.words.say("thanks"))}};W.styles=[b,n`:host{display:contents}.why{order:9;inline-size:100%;display:flex;flex-wrap:wrap;align-items:center;gap:var(--aisha-2);padding:var(--aisha-2) 6px;border:0;margin:0;font-size:var(--aisha-text-s)}.why .button{min-block-size:28px;padding:2px 10px;font-weight:400;border-radius:14px}`],E([d({attribute:!1})],W.prototype,"message",2),E([d({attribute:!1})],W.prototype,"words",2),E([d({attribute:!1})],W.prototype,"actions",2),E([h()],W.prototype,"isAsking",2),W=E([g("aisha-feedback")],W);var q=["search","get","list","create","update","delete"];function F(e,s){let a=s.named("does_",e,"");if(a)return a;let[i,...n]=e.split("_"),r=q.find(e=>e===i);if(!r||!n.length)return t(e);let l=n.join("_");return s.say(`tool_${r}`,{what:s.named("types_",l,s.named("type_",l,t(l).toLowerCase()))})}var G=class extends o{constructor(){super(...arguments),this.steps=[],this.names=new Map}render(){if(!this.steps.length)return l;let e=this.steps.reduce((e,t)=>e+(t.durationMs??0),0);return r`<details>
<summary>
<span dir="auto"
>${this.words.count("steps",this.steps.length)}${e?r` · ${this.words.seconds(e)}`:l}</span
>
<span class="chevron">${f("chevron",14)}</span>
</summary>
<ol>
${this.steps.map(e=>this.step(e))}
</ol>
</details>`}step(e){let t=/^\d+$/.test(e.outcome)?this.words.count("found",Number(e.outcome)):e.outcome;return r`<li>
<details>
<summary>
<span class="state ${e.state}">${this.mark(e.state)}</span>
<span dir="auto">${F(e.tool,this.words)}${t?r` · ${t}`:l}</span>
<span class="time" dir="auto"
>${null===e.durationMs?l:this.words.seconds(e.durationMs)}</span
>
</summary>
${a(e.arguments,this.names,this.words)}
</details>
</li>`}mark(e){let t=r`<span class="hidden-text">${this.words.say(`step_${e}`)}</span>`;return"running"===e?r`<span class="spinner"></span>${t}`:r`${f("done"===e?"check":"failed"===e?"close":"clock",14)}${t}`}};G.styles=[b,n`:host{display:block;font-size:var(--aisha-text-s);color:var(--aisha-muted)}summary{display:inline-flex;align-items:center;gap:var(--aisha-1);min-block-size:24px;cursor:pointer;list-style:none;border-radius:var(--aisha-radius-s)}summary::-webkit-details-marker{display:none}summary:hover{color:var(--aisha-ink)}summary>.chevron svg{display:block;transition:transform var(--aisha-speed)}details[open]>summary>.chevron svg{transform:rotate(180deg)}ol{list-style:none;margin:var(--aisha-1) 0 var(--aisha-2);padding:0 0 0 var(--aisha-3);padding-inline:var(--aisha-3) 0;border-inline-start:2px solid var(--aisha-line)}li>details>summary{display:flex}.time{margin-inline-start:auto;font-variant-numeric:tabular-nums;font-size:var(--aisha-text-xs)}.state{display:inline-grid;place-items:center;inline-size:18px;flex:none}.done{color:var(--aisha-good)}.failed{color:var(--aisha-danger)}.waiting{color:var(--aisha-warn)}.spinner{inline-size:12px;block-size:12px;border:2px solid var(--aisha-line-strong);border-block-start-color:var(--aisha-accent);border-radius:50%;animation:turn .9s linear infinite}@keyframes turn{to{transform:rotate(1turn)}}.arguments,.none{margin:0 0 var(--aisha-2) 22px;margin-inline:22px 0;font-size:var(--aisha-text-xs);overflow-wrap:anywhere}.arguments>div{display:flex;gap:var(--aisha-2)}dt:after{content:":"}dd{margin:0;color:var(--aisha-ink);min-inline-size:0}dd ul{margin:0;padding-inline-start:var(--aisha-4)}dd .arguments{margin:0}`],E([d({attribute:!1})],G.prototype,"steps",2),E([d({attribute:!1})],G.prototype,"names",2),E([d({attribute:!1})],G.prototype,"words",2),G=E([g("aisha-steps")],G);var Y=class extends o{constructor(){super(...arguments),this.records=[],this.name="",this.last=!1,this.busy=!1,this.speaking=!1,this.isCopied=!1,this.shown=""}render(){let{message:e}=this;return"system"===e.role?this.note():"user"===e.role?r`<div class="user">
<span class="hidden-text">${this.words.say("you_said")}: </span
><span class="said" dir="auto">${e.text}</span>
</div>`:r`<article aria-label=${this.words.say("assistant_said",{name:this.name})}>
<aisha-steps .steps=${e.steps} .names=${this.names} .words=${this.words}></aisha-steps>
<div class="prose" dir="auto" ?hidden=${!e.text||null!==e.confirmation}></div>
${this.status()} ${this.marks()} ${this.question()} ${"streaming"===e.state?l:this.findings()}
</article>`}updated(e){let{text:t,state:s}=this.message,a=`${"streaming"===s}${t}`;e.has("message")&&this.prose&&a!==this.shown&&(this.prose.replaceChildren(_(t,"streaming"===s)),this.shown=a)}get names(){return s(this.records,this.message.sources,this.message.entities)}note(){let{error:e,changes:t}=this.message,s=t.map(e=>e.name).join(", ");return r`${s?r`<p class="system">${f("undo",14)} ${this.words.say("undone_names",{names:s})}</p>`:l}
${e?r`<aisha-notice .words=${this.words} .text=${x(e,this.words)}></aisha-notice>`:l}`}status(){let{message:e,words:t}=this;if("streaming"!==e.state)return l;let s=e.steps.findLast(e=>"running"===e.state);if(e.text&&!s)return l;let a=s?`${F(s.tool,t)}…`:t.say("thinking");return r`<div class="status">
<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>${a}
</div>`}marks(){let{message:e,words:s}=this;return"stopped"===e.state?r`<p class="mark">${f("stop",14)} ${s.say("stopped")}</p>`:"unfinished"===e.state?r`<p class="mark">${f("alert",14)} ${s.say("unfinished")}</p>`:e.needs&&"done"===e.state?r`<p class="mark">
${f("alert",14)} ${s.say("needs_data",{names:(a=e.needs,Object.values(a).flatMap(e=>Array.isArray(e)?e.map(e=>"string"==typeof e?e:String(e?.id??"")):e&&"object"==typeof e?Object.keys(e):[]).filter(Boolean).map(t).join(", ").toLowerCase())})}
</p>`:e.error?r`<aisha-notice
.words=${s}
.text=${x(e.error,s)}
.retryAfter=${e.error.retryAfter}
.reference=${e.error.requestId??""}
?retryable=${(e=>![402,403,404,410,413,422].includes(e))(e.error.status)&&!e.decision}
?disabled=${this.busy}
@retry=${()=>this.actions.retry(e.key)}
></aisha-notice>`:l;var a}question(){let{message:e}=this;return e.confirmation&&"streaming"!==e.state?r`<aisha-confirmation
.message=${e}
.names=${this.names}
.words=${this.words}
.actions=${this.actions}
?busy=${this.busy}
></aisha-confirmation>`:l}findings(){let{message:e,words:t}=this;return"failed"===e.state?l:r`
${e.warnings.map(e=>r`<p class="mark">${f("alert",14)} ${e}</p>`)}
${e.usage?.degraded?r`<p class="mark">${f("alert",14)} ${t.say("degraded")}</p>`:l}
${e.insights.length?r`<div class="section">
<ul class="insights" aria-label=${t.say("insights")}>
${e.insights.map(e=>r`<li dir="auto">${f("bulb",16)}<span>${e}</span></li>`)}
</ul>
</div>`:l}
${this.sources()} ${this.footer()} ${this.last?r`${this.scans()}${this.followUps()}`:l}
`}sources(){let{sources:e}=this.message;return e.length?r`<div class="section">
<p class="label">${this.words.say("sources")}</p>
<ul class="chips">
${e.map(e=>r`<li>
<button
class="chip"
title=${e.description}
aria-label=${this.words.say("open_record",{type:this.words.named("type_",e.type,e.type),name:e.name})}
@click=${()=>this.actions.openRecord(e)}
>
${v(e.type)}<span dir="auto">${e.name}</span>
</button>
</li>`)}
</ul>
</div>`:l}scans(){let{recommendedScans:e,steps:t}=this.message,s=new Set(t.map(e=>e.arguments.scan_type)),a=e.filter(e=>!s.has(e));return a.length?r`<div class="section">
<p class="label">${this.words.say("scans")}</p>
<ul class="chips">
${a.map(e=>{let t=this.words.named("scan_",e,e.replaceAll("_"," ")),s=this.words.say("run_scan_text",{name:t});return this.chip(s,f("search",14))})}
</ul>
</div>`:l}followUps(){let{followUps:e,confirmation:t,decision:s}=this.message;return!e.length||t&&!s?l:r`<div class="section">
<p class="label">${this.words.say("follow_ups")}</p>
<ul class="chips">
${e.map(e=>this.chip(e.text,r`<span class="emoji" aria-hidden="true">${e.icon}</span>`))}
</ul>
</div>`}chip(e,t){return r`<li>
<button class="chip follow-up" ?disabled=${this.busy} @click=${()=>this.actions.send(e)}>
${t}<span dir="auto">${e}</span>
</button>
</li>`}footer(){let{message:e,words:t}=this;return e.text?r`<div class="footer" role="group" aria-label=${t.say("answer_actions")}>
${e.changes.length?r`<button
class="button undo"
?disabled=${this.busy||null!==e.undo}
@click=${()=>this.actions.undo(e.key)}
>
${f("undo",14)}
${"done"===e.undo?t.say("undone"):t.count("undo",e.changes.length)}
</button>`:l}
${this.tool(this.isCopied?"copied":"copy",this.isCopied?"check":"copy",()=>this.copy())}
${this.tool(this.speaking?"stop_reading":"read_aloud",this.speaking?"mute":"speak",()=>this.actions.speak(e.key))}
<aisha-feedback .message=${e} .words=${t} .actions=${this.actions}></aisha-feedback>
<span class="when" title=${this.timing()}>${t.moment(e.at)}</span>
</div>`:l}tool(e,t,s){let a=this.words.say(e);return r`<button class="icon-button small" aria-label=${a} title=${a} @click=${s}>
${f(t,15)}
</button>`}timing(){let{usage:e}=this.message;return e?`${this.words.say("timing",{total:this.words.seconds(e.timing.totalMs)})}, ${this.words.say("timing_model",{llm:this.words.seconds(e.timing.llmMs)})} · ${e.model}`:""}async copy(){try{await navigator.clipboard.writeText(this.message.text),this.isCopied=!0,this.actions.announce(this.words.say("copied")),setTimeout(()=>this.isCopied=!1,2e3)}catch{}}};Y.styles=[b,i,n`:host{display:block;padding-block:var(--aisha-2)}.user{inline-size:fit-content;max-inline-size:85%;margin-inline-start:auto;padding:var(--aisha-2) var(--aisha-3);background:var(--aisha-accent-soft);border-radius:var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1) var(--aisha-radius-l);overflow-wrap:anywhere}.said{display:block;white-space:pre-wrap}:host([dir="rtl"]) .user{border-radius:var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1)}.system{display:flex;align-items:center;justify-content:center;gap:var(--aisha-2);overflow-wrap:anywhere;font-size:var(--aisha-text-s);color:var(--aisha-muted)}.status{display:flex;align-items:center;gap:var(--aisha-2);min-block-size:24px;color:var(--aisha-muted);font-size:var(--aisha-text-s)}.dots{display:inline-flex;gap:4px}.dots i{inline-size:6px;block-size:6px;border-radius:50%;background:var(--aisha-accent);animation:breathe 1.2s ease-in-out infinite}.dots i:nth-child(2){animation-delay:.15s}.dots i:nth-child(3){animation-delay:.3s}@keyframes breathe{50%{opacity:.25}}.mark{display:flex;align-items:center;gap:var(--aisha-2);margin-block-start:var(--aisha-2);font-size:var(--aisha-text-s);color:var(--aisha-warn)}.section{margin-block-start:var(--aisha-3)}.label{margin:0 0 var(--aisha-1);font-size:var(--aisha-text-xs);font-weight:600;color:var(--aisha-muted)}.insights{margin:0;padding:var(--aisha-2) var(--aisha-3);list-style:none;background:var(--aisha-raised);border-radius:var(--aisha-radius);font-size:var(--aisha-text-s)}.insights li{display:flex;gap:var(--aisha-2)}.insights span{min-inline-size:0;overflow-wrap:anywhere}.insights svg{flex:none;margin-block-start:1px;color:var(--aisha-warn)}.chips{display:flex;flex-wrap:wrap;gap:var(--aisha-2);margin:0;padding:0;list-style:none}.chips li{max-inline-size:100%}.chip{display:inline-flex;align-items:center;gap:6px;max-inline-size:100%;min-block-size:28px;padding:3px 10px;font-size:var(--aisha-text-s);line-height:1.35;text-align:start;border:1px solid var(--aisha-line);border-radius:14px;background:var(--aisha-bg);transition:background var(--aisha-speed)}.chip:hover:not(:disabled){background:var(--aisha-hover)}.chip span{overflow:hidden;text-overflow:ellipsis;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow-wrap:anywhere}.chip svg{flex:none;color:var(--aisha-accent)}.follow-up{border-color:var(--aisha-line-strong)}.emoji{font-size:14px}.footer{display:flex;align-items:center;flex-wrap:wrap;gap:var(--aisha-1);margin-block-start:var(--aisha-2);color:var(--aisha-muted);font-size:var(--aisha-text-xs)}.footer>.icon-button:first-child{margin-inline-start:-6px}.footer .when{margin-inline-start:auto;font-variant-numeric:tabular-nums}.footer .undo{min-block-size:28px;padding:2px 10px}`],E([d({attribute:!1})],Y.prototype,"message",2),E([d({attribute:!1})],Y.prototype,"words",2),E([d({attribute:!1})],Y.prototype,"actions",2),E([d({attribute:!1})],Y.prototype,"records",2),E([d()],Y.prototype,"name",2),E([d({type:Boolean})],Y.prototype,"last",2),E([d({type:Boolean})],Y.prototype,"busy",2),E([d({type:Boolean})],Y.prototype,"speaking",2),E([h()],Y.prototype,"isCopied",2),E([c(".prose")],Y.prototype,"prose",2),Y=E([g("aisha-message")],Y);var H=class extends o{constructor(){super(...arguments),this.messages=[],this.records=[],this.name="",this.speaking=null,this.busy=!1,this.isAway=!1}firstUpdated(){this.sizes=new ResizeObserver(()=>!this.isAway&&this.toNewest()),this.sizes.observe(this.content),this.sizes.observe(this.frame)}disconnectedCallback(){super.disconnectedCallback(),this.sizes?.disconnect()}connectedCallback(){super.connectedCallback(),this.hasUpdated&&this.firstUpdated()}updated(e){let t=e.get("messages");t&&this.messages.length>t.length&&"user"===this.messages.at(-2)?.role&&(this.isAway=!1),this.isAway||this.toNewest()}render(){let e=this.messages.at(-1)?.key;return r`<div
class="scroll"
tabindex="0"
role="log"
aria-live="off"
aria-label=${this.words.say("transcript")}
@scroll=${this.scrolled}
>
<div class="messages">
${this.messages.map(t=>r`<aisha-message
.message=${t}
.words=${this.words}
.actions=${this.actions}
.records=${this.records}
.name=${this.name}
dir=${this.words.direction}
?last=${t.key===e}
?busy=${this.busy}
?speaking=${t.key===this.speaking}
></aisha-message>`)}
</div>
</div>
${this.isAway?r`<button
class="icon-button newest"
aria-label=${this.words.say("to_newest")}
title=${this.words.say("to_newest")}
@click=${this.backToNewest}
>
${f("down")}
</button>`:l}`}scrolled(){let{scrollHeight:e,scrollTop:t,clientHeight:s}=this.frame;this.isAway=e-t-s>80}backToNewest(){this.isAway=!1,this.toNewest()}toNewest(){this.frame&&(this.frame.scrollTop=this.frame.scrollHeight)}};H.styles=[b,n`:host{position:relative;display:block;min-block-size:0}.scroll{block-size:100%;overflow-y:auto;overscroll-behavior:contain;scrollbar-width:thin;scrollbar-color:var(--aisha-line-strong) transparent;padding:var(--aisha-3) var(--aisha-4);outline-offset:-2px}.messages{max-inline-size:760px;margin-inline:auto}aisha-message:not([last]){content-visibility:auto;contain-intrinsic-size:auto 120px}.newest{position:absolute;inset-block-end:var(--aisha-3);inset-inline:0;margin-inline:auto;background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:50%;color:var(--aisha-ink);box-shadow:var(--aisha-shadow)}`],E([d({attribute:!1})],H.prototype,"messages",2),E([d({attribute:!1})],H.prototype,"records",2),E([d({attribute:!1})],H.prototype,"words",2),E([d({attribute:!1})],H.prototype,"actions",2),E([d()],H.prototype,"name",2),E([d()],H.prototype,"speaking",2),E([d({type:Boolean})],H.prototype,"busy",2),E([h()],H.prototype,"isAway",2),E([c(".scroll")],H.prototype,"frame",2),E([c(".messages")],H.prototype,"content",2),H=E([g("aisha-transcript")],H);var B=[{label:"quick_status",icon:"activity"},{label:"quick_next",icon:"bulb"},{label:"quick_analyze",icon:"opportunity"}];function K(e,t,s){let a=`${e.label}_text`;return s?t.english(a):t.say(a)}var V=class extends o{constructor(){super(...arguments),this.onRecord=!1,this.english=!1,this.busy=!1}render(){let{words:e}=this;return r`<h3>${e.say("welcome_title")}</h3>
<p>${e.say("welcome_text")}</p>
<ul aria-label=${e.say("quick")}>
${this.onRecord?this.item({label:"quick_record",icon:"source"},null):l}
${B.map((e,t)=>this.item(e,t+1))}
</ul>`}item(e,t){let s=K(e,this.words,this.english);return r`<li>
<button ?disabled=${this.busy} @click=${()=>this.actions.send(s)} aria-keyshortcuts=${t??l}>
${f(e.icon,20)}
<span class="text"><strong>${this.words.say(e.label)}</strong><span>${s}</span></span>
${t?r`<kbd aria-hidden="true">${t}</kbd>`:l}
</button>
</li>`}};V.styles=[b,n`:host{display:block}h3{margin:var(--aisha-3) 0 var(--aisha-1);font-size:var(--aisha-text-l);line-height:1.3}p{margin:0 0 var(--aisha-4);color:var(--aisha-muted);font-size:var(--aisha-text-s);line-height:1.5}ul{display:grid;gap:var(--aisha-2);margin:0;padding:0;list-style:none}li button{display:flex;align-items:center;gap:var(--aisha-3);inline-size:100%;padding:10px var(--aisha-3);text-align:start;border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);background:var(--aisha-raised);transition:background var(--aisha-speed)}li button:hover:not(:disabled){background:var(--aisha-hover)}svg{flex:none;color:var(--aisha-accent)}.text{flex:1;min-inline-size:0;line-height:1.35}strong{display:block;font-size:var(--aisha-text-s);font-weight:600}.text span{font-size:var(--aisha-text-s);color:var(--aisha-muted)}kbd{min-inline-size:20px;padding:1px 5px;text-align:center;font:inherit;font-size:var(--aisha-text-xs);color:var(--aisha-muted);border:1px solid var(--aisha-line);border-radius:5px}@media(hover:none){kbd{display:none}}`],E([d({attribute:!1})],V.prototype,"words",2),E([d({attribute:!1})],V.prototype,"actions",2),E([d({type:Boolean,attribute:"on-record"})],V.prototype,"onRecord",2),E([d({type:Boolean})],V.prototype,"english",2),E([d({type:Boolean})],V.prototype,"busy",2),V=E([g("aisha-welcome")],V);var J=class extends o{constructor(){super(...arguments),this.api="",this.theme="midnight",this.layout="sidebar",this.locale="",this.name="",this.recordType="",this.recordId="",this.page="",this.minimised=!1,this.token=null,this.provideData=null,this.view="chat",this.isOnline=navigator.onLine,this.isUnread=!1,this.announced="",this.heard="",this.voices=[],this.isCalling=!1,this.viewsError=null,this.listening=null,this.speakingKey=null,this.voiceProblem="",this.tenantName="AiSHA",this.isEnglishOnly=!1,this.preferences={theme:"midnight",model:"",isReadAloud:!1,voice:"",isPlanning:!1},this.words=new S("en"),this.wordsOf="",this.isDark=matchMedia("(prefers-color-scheme: dark)"),this.isRedrawn=!1,this.tokenGiven=new Promise(e=>this.giveToken=e),this.actions={send:e=>{this.say(e)},stop:()=>this.conversation.stop(),retry:e=>{this.conversation.retry(e)},decide:(e,t,s)=>{this.conversation.decide(e,t,s),this.composer?.focus()},undo:e=>{this.conversation.undo(e)},expire:e=>this.conversation.expire(e),askAgain:e=>this.askAgain(e),openRecord:e=>this.navigate({page:null,record:e}),speak:e=>{this.readAloud(e)},rate:(e,t,s)=>this.rate(e,t,s),announce:e=>this.announce(e)},this.talk=async()=>{if(this.listening)return;this.speech.stop(),this.voiceProblem=this.heard="";try{this.listening=new N(this.words.locale,e=>this.heard=e)}catch{return void(this.voiceProblem=this.words.say("error_microphone"))}let e=await this.listening.heard;this.listening=null,this.heard="",this.composer?.fill(""),"text"in e?await this.say(e.text):this.voiceProblem=this.words.say(`error_${e.problem}`)},this.beginCall=async()=>{this.speech.stop(),this.voiceProblem="",await this.loadViews(),this.viewsError?this.voiceProblem=x(this.viewsError,this.words):this.isCalling=!0},this.sound=()=>{let e=!this.preferences.isReadAloud;this.prefer({...this.preferences,isReadAloud:e}),!e&&(this.speech.stop(),this.speakingKey=null)},this.begin=async()=>{this.conversation.clear(),await this.show("chat")},this.minimise=async()=>{this.minimised=!0,U("minimised","yes"),await this.updateComplete,this.renderRoot.querySelector(".launcher")?.focus()},this.restore=async()=>{this.minimised=!1,U("minimised",null),await this.updateComplete,this.composer?.focus()},this.pressed=e=>{let[t]=e.composedPath(),s=t?.matches("input, textarea, select, [contenteditable]");if("Escape"===e.key&&"chat"!==this.view&&this.show("chat"),s||e.ctrlKey||e.metaKey||e.altKey||"chat"!==this.view)return;let a=((e,t,s)=>{let a=/^[1-3]$/.test(e)?B[Number(e)-1]:void 0;return a?K(a,t,s):null})(e.key,this.words,this.isEnglishOnly);a&&this.say(a)},this.connectionChanged=()=>{if(this.isOnline=navigator.onLine,!this.isOnline)return;this.announce(this.words.say("back_online"));let e=this.conversation.messages.findLast(e=>"offline"===e.error?.code);e&&this.conversation.retry(e.key)},this.redraw=()=>{this.isRedrawn=!0,this.requestUpdate()}}ask(e){this.minimised=!1,this.say(e)}async draft(e){this.minimised=!1,this.view="chat",await this.updateComplete,this.composer?.fill(e),this.composer?.focus()}async openConversation(e){this.view="chat",await this.conversation.open(e)}connectedCallback(){super.connectedCallback(),addEventListener("online",this.connectionChanged),addEventListener("offline",this.connectionChanged),this.isDark.addEventListener("change",this.redraw),this.addEventListener("keydown",this.pressed)}disconnectedCallback(){super.disconnectedCallback(),removeEventListener("online",this.connectionChanged),removeEventListener("offline",this.connectionChanged),this.isDark.removeEventListener("change",this.redraw),this.removeEventListener("keydown",this.pressed),this.speech?.stop(),this.conversation?.stop()}willUpdate(e){if(!this.hasUpdated){let e=O("theme");this.preferences={theme:this.hasAttribute("theme")?this.theme:e??"midnight",model:O("model")??"",isReadAloud:"yes"===O("aloud"),voice:O("voice")??"",isPlanning:"yes"===O("plan")},this.theme=this.preferences.theme,"sidebar"===this.layout&&"yes"===O("minimised")&&(this.minimised=!0)}(e.has("api")||!this.client)&&this.connect(),this.token&&this.giveToken(),e.has("theme")&&(this.preferences={...this.preferences,theme:this.theme}),e.has("minimised")&&(this.isUnread&&=this.minimised);let t="light"===this.theme||"system"===this.theme&&!this.isDark.matches;this.dataset.theme=t?"light":"midnight"}async scheduleUpdate(){this.isRedrawn&&!document.hidden&&await new Promise(requestAnimationFrame),this.isRedrawn=!1;let t=this.locale||document.documentElement.lang||navigator.language;t!==this.wordsOf&&(this.wordsOf=t,this.words=await e(t)),super.scheduleUpdate()}render(){let{words:e}=this;if(this.minimised&&"fill"!==this.layout){let t=e.say(this.isUnread?"open_unread":"open");return r`<button
class="launcher"
dir=${e.direction}
lang=${e.language}
aria-label=${t}
title=${t}
@click=${this.restore}
>
<span aria-hidden="true">${this.calledName.slice(0,1)}</span>
${this.isUnread?r`<span class="unread"></span>`:l}
</button>
${this.announcer()}`}let{conversation:t}=this;return r`<section
class="panel"
part="panel"
lang=${e.language}
dir=${e.direction}
aria-label="${this.calledName}: ${e.say("assistant")}"
>
<aisha-header
.words=${e}
.mood=${t.mood}
.name=${this.calledName}
.state=${this.panelState}
.view=${this.view}
?fresh=${0===t.messages.length}
?minimisable=${"fill"!==this.layout}
@view=${e=>this.show(e.detail)}
?aloud=${this.preferences.isReadAloud}
@sound=${this.sound}
@clear=${this.begin}
@minimise=${this.minimise}
></aisha-header>
<div>
${this.isOnline?l:r`<p class="banner" role="status">${f("offline",16)} ${e.say("offline")}</p>`}
${this.voiceProblem?r`<p class="banner" role="status">${f("mic",16)} ${this.voiceProblem}</p>`:l}
</div>
<div class="body">${this.body()}</div>
<div>
${"chat"===this.view?this.isCalling?this.call():r`<aisha-composer
.words=${e}
.earlier=${t.spoken}
.heard=${this.heard}
placeholder=${e.say(t.pending?"placeholder_pending":"placeholder")}
?busy=${"idle"!==t.phase}
?planning=${this.preferences.isPlanning}
@plan=${()=>this.prefer({...this.preferences,isPlanning:!this.preferences.isPlanning})}
?listening=${null!==this.listening}
?voice=${void 0!==L()}
@send=${e=>this.say(e.detail)}
@stop=${()=>t.stop()}
?calls=${this.voices.length>0}
@call=${this.beginCall}
@talk=${this.talk}
@release=${()=>this.listening?.finish()}
></aisha-composer>`:l}
</div>
${this.announcer()}
</section>`}call(){return r`<aisha-voice
.api=${this.client}
.words=${this.words}
.actions=${this.actions}
.conversation=${this.conversation.id}
@changes=${e=>this.tellChanges(e.detail)}
@ended=${e=>this.endCall(e.detail)}
></aisha-voice>`}announcer(){return r`<div class="hidden-text" role="status" aria-live="polite">${this.announced}</div>`}body(){let{words:e,conversation:t,client:s,viewsError:a}=this;return"chat"!==this.view&&a?r`<div class="empty">
<aisha-notice
.words=${e}
.text=${x(a,e)}
retryable
@retry=${()=>this.show(this.view)}
></aisha-notice>
</div>`:"history"===this.view?r`<aisha-history
.api=${s}
.words=${e}
.current=${t.id}
@open=${e=>this.openConversation(e.detail)}
@removed=${e=>e.detail===t.id&&t.clear()}
></aisha-history>`:"settings"===this.view?r`<aisha-settings
.api=${s}
.words=${e}
.preferences=${this.preferences}
@change=${e=>this.prefer(e.detail)}
></aisha-settings>`:t.isLoading?r`<p class="loading" role="status">${e.say("loading")}</p>`:t.loadError?r`<div class="empty">
<aisha-notice
.words=${e}
.text=${x(t.loadError,e)}
.retryAfter=${t.loadError.retryAfter}
.reference=${t.loadError.requestId??""}
retryable
@retry=${()=>t.open(t.id)}
></aisha-notice>
</div>`:t.messages.length?r`<aisha-transcript
.messages=${t.messages}
.records=${t.entities}
.words=${e}
.actions=${this.actions}
.name=${this.calledName}
.speaking=${this.speakingKey}
?busy=${"idle"!==t.phase}
></aisha-transcript>`:r`<div class="empty">
<aisha-welcome
.words=${e}
.actions=${this.actions}
?english=${this.isEnglishOnly}
?on-record=${!!this.recordId}
?busy=${"idle"!==t.phase}
></aisha-welcome>
<aisha-suggestions
.api=${s}
.words=${e}
.actions=${this.actions}
@changes=${e=>this.tellChanges(e.detail)}
></aisha-suggestions>
</div>`}get calledName(){return this.name||this.tenantName}get panelState(){return this.isOnline?this.listening?"listening":"idle"!==this.conversation.phase?"processing":this.speakingKey?"speaking":"failed"===this.conversation.messages.at(-1)?.state?"error":"idle":"offline"}connect(){this.conversation?.stop();let e=p({api:this.api,token:e=>this.tokenSource().then(t=>t(e)),door:"widget"});this.client=e,this.speech=new T(e);let t={api:e,request:()=>this.request(),isPlanning:()=>this.preferences.isPlanning,provide:e=>this.provide(e),changed:this.redraw,kept:e=>U(`conversation.${this.api}`,e),answered:e=>this.answered(e),recordsChanged:e=>this.tellChanges(e),navigated:e=>this.navigate(e),confirmationNeeded:e=>this.tell("confirmationneeded",e)};this.conversation=new $(t),this.name||this.loadName(e),this.loadModels(e);let s=O(`conversation.${this.api}`);s&&this.conversation.open(s)}async loadName(e){let t=await m(e.rest.GET("/api/ai/profile")).catch(()=>null);t?.assistantName&&(this.tenantName=t.assistantName)}async loadModels(e){let t=(await e.rest.GET("/api/ai/models").catch(()=>null))?.data;this.isEnglishOnly="offline"===t?.providers[0]?.id,this.voices="RTCPeerConnection"in globalThis?t?.realtimeVoices??[]:[]}async tokenSource(){return this.token||await this.tokenGiven,this.token}request(){let[e,...t]=this.preferences.model.split("/"),s=this.page||this.recordId;return{locale:this.words.locale,timezone:Intl.DateTimeFormat().resolvedOptions().timeZone,...e?{provider:e,model:t.join("/")}:{},...s?{context:{page:this.page||null,recordType:this.recordType||null,recordId:this.recordId||null}}:{}}}async say(e){this.view="chat",this.voiceProblem="",this.speech.stop(),await this.conversation.send(e)}askAgain(e){let{messages:t}=this.conversation,s=t.findIndex(t=>t.key===e),a=t.slice(0,Math.max(s,0)).findLast(e=>"user"===e.role);a&&this.say(a.text)}async provide(e){return await(this.provideData?.(e))??null}answered(e){this.minimised&&(this.isUnread=!0);let t=e.error?x(e.error,this.words):e.changes.length&&"system"===e.role?this.words.say("undone_names",{names:e.changes.map(e=>e.name).join(", ")}):e.confirmation?this.words.say("confirm_needed",{question:z(e.confirmation.question)}):z(e.text);this.announce(t),this.preferences.isReadAloud&&!e.error&&!document.hidden&&this.readAloud(e.key)}async readAloud(e){let t=this.speakingKey===e;this.speech.stop(),this.speakingKey=null;let s=this.conversation.find(e);if(t||!s?.text)return;this.speakingKey=e;let a=await this.speech.say(s.text,this.words.locale,this.preferences.voice);this.speakingKey===e&&(this.speakingKey=null),this.record("read_aloud","voice",!0,a,{ttsMs:a})}async endCall({conversationId:e,problem:t}){this.isCalling=!1,this.voiceProblem=t,e&&this.conversation.open(e),await this.updateComplete,this.composer?.focus()}rate(e,t,s){this.conversation.patch(e,{feedback:t}),("up"===t||s)&&this.record("answer_feedback","feedback","up"===t,0,void 0,s)}async record(e,t,s,a,i,n){let r={commandName:e,commandType:t,success:s,executionTimeMs:a,timing:i,errorMessage:n};await this.client.rest.POST("/api/ai/analytics",{body:r}).catch(()=>{})}navigate(e){this.tell("navigate",e)}tellChanges(e){for(let t of e)this.tell("recordchanged",t)}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}announce(e){this.announced=e===this.announced?`${e} `:e}prefer(e){this.preferences=e,this.theme=e.theme,U("theme",e.theme),U("model",e.model||null),U("aloud",e.isReadAloud?"yes":null),U("voice",e.voice||null),U("plan",e.isPlanning?"yes":null)}async show(e){this.view=e,"chat"!==e&&await this.loadViews(),await this.updateComplete,"chat"===e&&this.composer?.focus()}async loadViews(){this.viewsError=await import("./parts/views-PMY7PCRD.js").then(()=>null,()=>new u(0,"unreachable",""))}};function Z(e,t="USD",s=!1){let a=Number(e);if(!Number.isFinite(a))return"—";try{return new Intl.NumberFormat(void 0,{style:"currency",currency:String(t||"USD"),maximumFractionDigits:s?1:a%1?2:0,notation:s?"compact":"standard"}).format(a)}catch{return`${Q(a)} ${String(t)}`}}function X(e){let t=0===e||e>=.1?2:5;return new Intl.NumberFormat(void 0,{style:"currency",currency:"USD",maximumFractionDigits:t}).format(e)}function Q(e){return new Intl.NumberFormat(void 0,{maximumFractionDigits:1}).format(e)}function ee(e){let t=String(e??""),s=/^\d{4}-\d{2}-\d{2}$/.test(t),a=new Date(s?`${t}T00:00`:t);return Number.isNaN(a.getTime())?null:a}function te(e){let t=ee(e);if(!t)return"—";let s=t.getFullYear()===(new Date).getFullYear();return t.toLocaleDateString(void 0,{day:"numeric",month:"short",...s?{}:{year:"numeric"}})}function se(e){let t=ee(e);return t?t.toLocaleTimeString(void 0,{hour:"numeric",minute:"2-digit"}):""}function ae(e){return`${te(e)}, ${se(e)}`}function ie(e){let t=e=>new Date(e.getFullYear(),e.getMonth(),e.getDate()).getTime();return Math.round((t(e)-t(new Date))/864e5)}function ne(e){let t=ee(e);if(!t)return"—";let s=ie(t);return Math.abs(s)>13?te(e):new Intl.RelativeTimeFormat(void 0,{numeric:"auto"}).format(s,"day")}function re(e){let t=e.replace(/[_-]+/g," ").trim();return t.charAt(0).toUpperCase()+t.slice(1)}function le(e){return e>=1e3?`${Q(e/1e3)} s`:`${Math.round(e)} ms`}function oe(e){if(!(e instanceof Error))return"Something went wrong. Please try again.";if(e.message)return e.message;let{status:t,code:s}=e;return"offline"===s?"You are offline. This goes on when the connection is back.":0===t?"The server does not answer. Please try again in a moment.":401===t?"You are signed out. Load the page again to sign in.":"The server could not do this. Please try again."}J.shadowRootOptions={...o.shadowRootOptions,delegatesFocus:!0},J.styles=[y,b,n`:host{display:block;font-family:var(--aisha-font);font-size:var(--aisha-text-m);line-height:1.5;color:var(--aisha-ink);text-align:start;-webkit-text-size-adjust:100%}.panel{display:grid;grid-template-rows:auto auto minmax(0,1fr) auto;background:var(--aisha-bg);block-size:100%;overflow:hidden}:host([layout="fill"]){block-size:100%;min-block-size:0}:host(:not([layout="fill"])) .panel{position:fixed;z-index:2147483000;inset-block:0;inset-inline-end:0;inline-size:min(400px,100vw);block-size:100dvh;border-inline-start:1px solid var(--aisha-line);box-shadow:var(--aisha-shadow)}@media(max-width:600px){:host(:not([layout="fill"])) .panel{inline-size:100vw;border:0}}.launcher{position:fixed;z-index:2147483000;inset-block-end:var(--aisha-5);inset-inline-end:var(--aisha-5);inline-size:56px;block-size:56px;display:grid;place-items:center;font-size:22px;font-weight:700;color:var(--aisha-on-accent);background:var(--aisha-accent-fill);border-radius:18px;box-shadow:var(--aisha-shadow)}.unread{position:absolute;inset-block-start:-3px;inset-inline-end:-3px;inline-size:16px;block-size:16px;border-radius:50%;background:var(--aisha-danger-fill);border:2px solid var(--aisha-bg)}.banner{margin:0;display:flex;align-items:center;gap:var(--aisha-2);padding:var(--aisha-2) var(--aisha-4);font-size:var(--aisha-text-s);color:var(--aisha-warn);background:var(--aisha-warn-soft)}.body{display:grid;min-block-size:0;min-inline-size:0}.empty{overflow-y:auto;padding:var(--aisha-3) var(--aisha-4);scrollbar-width:thin}.empty>*{max-inline-size:760px;margin-inline:auto}.loading{place-self:center;color:var(--aisha-muted);font-size:var(--aisha-text-s)}`],E([d()],J.prototype,"api",2),E([d({reflect:!0})],J.prototype,"theme",2),E([d({reflect:!0})],J.prototype,"layout",2),E([d()],J.prototype,"locale",2),E([d()],J.prototype,"name",2),E([d({attribute:"record-type"})],J.prototype,"recordType",2),E([d({attribute:"record-id"})],J.prototype,"recordId",2),E([d()],J.prototype,"page",2),E([d({type:Boolean,reflect:!0})],J.prototype,"minimised",2),E([d({attribute:!1})],J.prototype,"token",2),E([d({attribute:!1})],J.prototype,"provideData",2),E([h()],J.prototype,"view",2),E([h()],J.prototype,"isOnline",2),E([h()],J.prototype,"isUnread",2),E([h()],J.prototype,"announced",2),E([h()],J.prototype,"heard",2),E([h()],J.prototype,"voices",2),E([h()],J.prototype,"isCalling",2),E([h()],J.prototype,"viewsError",2),E([h()],J.prototype,"listening",2),E([h()],J.prototype,"speakingKey",2),E([h()],J.prototype,"voiceProblem",2),E([h()],J.prototype,"tenantName",2),E([h()],J.prototype,"isEnglishOnly",2),E([h()],J.prototype,"preferences",2),E([c("aisha-composer")],J.prototype,"composer",2),J=E([g("aisha-assistant")],J);var de=class{constructor(e,t,s=!1){this.host=e,this.type=t,this.isWhole=s,this.items=[],this.total=null,this.next=null,this.isLoading=!0,this.error="",this.filters={},this.attempt=0,this.redraw=()=>this.host.requestUpdate(),this.apply=e=>{let t=e.detail.filter(e=>e.entity.type===this.type);if(t.length){if(Object.values(this.filters).some(Boolean))return void this.load(this.filters);for(let e of t)this.take(e);this.host.requestUpdate()}},e.addController(this)}hostConnected(){this.host.desk?.feed.addEventListener("changes",this.apply),this.host.desk?.feed.addEventListener("marks",this.redraw)}hostDisconnected(){this.host.desk?.feed.removeEventListener("changes",this.apply),this.host.desk?.feed.removeEventListener("marks",this.redraw)}async load(e={}){this.hostConnected(),this.filters=e;let t=this.attempt+=1;this.isLoading=!0,this.error="",this.host.requestUpdate();try{let e=[],s=null;for(let a=0;a<(this.isWhole?20:1);a+=1){let a=await this.page(s);if(t!==this.attempt)return;if(e=[...e,...a.items],[this.total,s]=[a.total,a.next_cursor],!s)break}[this.items,this.next]=[e,s]}catch(e){if(t!==this.attempt)return;this.error=oe(e)}this.isLoading=!1,this.host.requestUpdate()}async more(){let e=this.attempt;if(this.next&&!this.isLoading){this.isLoading=!0,this.host.requestUpdate();try{let t=await this.page(this.next);if(e!==this.attempt)return;let s=new Set(this.items.map(e=>e.id));this.items=[...this.items,...t.items.filter(e=>!s.has(e.id))],this.next=t.next_cursor}catch(e){this.host.desk.tell(oe(e),!0)}this.isLoading=!1,this.host.requestUpdate()}}async page(e){let t={...this.filters,limit:50,...e?{cursor:e}:{}};return await m(this.host.desk.api.rest.GET("/api/crm/{type}",{params:{path:{type:this.type},query:t}}))}take(e){let t=this.items.findIndex(t=>t.id===e.entity.id),s=e.record;s?t>=0?this.items=this.items.with(t,s):("created"===e.action||"undo_last"===e.tool)&&(this.items=[s,...this.items],this.total=null===this.total?null:this.total+1):(t>=0&&(this.total=null===this.total?null:this.total-1),this.items=this.items.filter(t=>t.id!==e.entity.id))}},he=[{type:"lead",page:"leads",one:"Lead",many:"Leads",module:"leads"},{type:"contact",page:"contacts",one:"Contact",many:"Contacts",module:"contacts"},{type:"account",page:"accounts",one:"Account",many:"Accounts",module:"accounts"},{type:"opportunity",page:"opportunities",one:"Deal",many:"Deals",module:"opportunities"},{type:"activity",page:"activities",one:"Activity",many:"Activities",module:"activities"},{type:"note",page:"notes",one:"Note",many:"Notes",module:"notes"}],ce=["prospecting","qualification","proposal","negotiation","closed_won","closed_lost"],ue=ce.slice(0,4),pe=["new","contacted","warm","qualified","unqualified","converted","lost"];function me(e){return he.find(t=>t.type===e)}function ge(e){return he.find(t=>t.page===e)}function fe(e,t,s=!1){let a=t[e.type];if(!a)return s?e.many:e.one;let i=a.charAt(0).toUpperCase()+a.slice(1);return s&&!i.endsWith("s")?`${i}s`:i}function ve(e){return e.replace(/_id$/,"").replace(/_at$/,"").replace(/_/g," ")}function ye(e,t){let s=e[t];return null==s||""===s?"—":"boolean"==typeof s?s?"Yes":"No":/amount|value|revenue/.test(t)?Z(s,e.currency):/(_at|_date)$/.test(t)?te(s):"probability"===t?`${String(s)}%`:Array.isArray(s)?s.map(be).join(", ")||"—":["status","stage","source","health","priority","activity_type","note_type","type"].includes(t)?re(String(s)):be(s)}function be(e){if("object"!=typeof e||null===e)return String(e);let t=e;return"string"==typeof t.name?t.name:Object.values(t).filter(e=>"object"!=typeof e&&""!==e).join(", ")}function we(e){let t=me(e.entity.type)?.one.toLowerCase()??e.entity.type,s=e.entity.name;if("undo_last"===e.tool)return`took back a change of ${s}`;if("created"===e.action)return`created the ${t} ${s}`;if("deleted"===e.action)return`deleted the ${t} ${s}`;let{before:a,after:i}=e;for(let e of["stage","status","health","owner"])if(e in i)return`${"stage"===e?`moved ${s}`:`set the ${e} of ${s}`} from ${ye(a,e)} to ${ye(i,e)}`;let n=Object.keys(i).filter(e=>!["version","updated_at"].includes(e));return n.length?`changed ${n.slice(0,3).map(ve).join(", ")} of ${s}`:`changed ${s}`}var $e="What is on my plate today?";function ke(e,t){return`Move the deal ${t.display_name} to the stage ${re(e).toLowerCase()}`}var xe=n`:host{display:block;font-size:var(--aisha-text-s);color:var(--aisha-ink)}h1{margin:0;font-size:20px;letter-spacing:-.01em}h2{margin:0 0 var(--aisha-3);font-size:var(--aisha-text-m)}p{margin:0}a{color:var(--aisha-accent)}.muted{color:var(--aisha-muted)}.row{display:flex;flex-wrap:wrap;align-items:center;gap:var(--aisha-3)}.head{display:flex;flex-wrap:wrap;align-items:center;gap:var(--aisha-3);margin-block-end:var(--aisha-4)}.row .end,.head .end{margin-inline-start:auto}.card{background:var(--aisha-raised);border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);padding:var(--aisha-4)}.grid{display:grid;gap:var(--aisha-4);grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));align-items:start}.scroll{overflow:auto;border:1px solid var(--aisha-line);border-radius:var(--aisha-radius)}table{inline-size:100%;border-collapse:collapse}th{position:sticky;inset-block-start:0;background:var(--aisha-raised);color:var(--aisha-muted);font-weight:600;text-align:start;white-space:nowrap}th,td{padding:9px var(--aisha-3);border-block-end:1px solid var(--aisha-line);vertical-align:top}tr:last-child td{border-block-end:0}.number{text-align:end;font-variant-numeric:tabular-nums}td.name{overflow-wrap:anywhere;min-inline-size:16ch;max-inline-size:48ch}progress{appearance:none;display:block;inline-size:100%;block-size:8px;border:0;border-radius:4px;overflow:hidden;background:var(--aisha-hover)}progress::-webkit-progress-bar{background:var(--aisha-hover)}progress::-webkit-progress-value{background:var(--aisha-accent-fill)}progress::-moz-progress-bar{background:var(--aisha-accent-fill)}.badge{display:inline-block;padding:2px 8px;border-radius:999px;font-size:var(--aisha-text-xs);font-weight:600;background:var(--aisha-hover);color:var(--aisha-ink);white-space:nowrap}.badge.good{color:var(--aisha-good)}.badge.warn{color:var(--aisha-warn);background:var(--aisha-warn-soft)}.badge.bad{color:var(--aisha-danger);background:var(--aisha-danger-soft)}.badge.accent{color:var(--aisha-accent);background:var(--aisha-accent-soft)}.link{color:var(--aisha-accent);font-weight:600;text-align:start;text-decoration:none;border-radius:4px}.link:hover{text-decoration:underline}.marked{background:var(--aisha-accent-soft);box-shadow:inset 3px 0 0 var(--aisha-accent)}.empty{display:grid;gap:var(--aisha-3);justify-items:center;padding:var(--aisha-6);text-align:center;color:var(--aisha-muted);border:1px dashed var(--aisha-line-strong);border-radius:var(--aisha-radius)}.error{color:var(--aisha-danger)}.skeleton{block-size:220px;border-radius:var(--aisha-radius);background:var(--aisha-raised);border:1px solid var(--aisha-line);animation:wait 1.6s ease-in-out infinite alternate}@keyframes wait{to{opacity:.55}}.tabs{display:flex;flex-wrap:wrap;gap:var(--aisha-1)}.tabs a,.tabs button{padding:7px 12px;border-radius:var(--aisha-radius-s);color:var(--aisha-muted);font-weight:600;text-decoration:none}.tabs a:hover,.tabs button:hover{background:var(--aisha-hover);color:var(--aisha-ink)}.tabs [aria-current=page],.tabs [aria-pressed=true]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}label.field{display:grid;gap:var(--aisha-1);font-weight:600}label.field .muted{font-weight:400}dl.fields{display:grid;grid-template-columns:minmax(9ch,auto) 1fr;gap:var(--aisha-2) var(--aisha-4);margin:0}dl.fields dt{color:var(--aisha-muted)}dl.fields dd{margin:0;overflow-wrap:anywhere}code,pre{font-family:var(--aisha-mono);font-size:var(--aisha-text-xs);overflow-wrap:anywhere;white-space:pre-wrap;margin:0}`,_e={warm:"warn",qualified:"good",completed:"good",executed:"good",closed_won:"good",healthy:"good",ok:"good",done:"good",open:"accent",scheduled:"accent",proposal:"accent",negotiation:"accent",needs_confirmation:"warn",pending:"warn",at_risk:"warn",high:"warn",urgent:"bad",overdue:"bad",critical:"bad",failed:"bad",rejected:"bad",unavailable:"bad",stalled:"bad",lost:"bad",closed_lost:"bad"};function ze(e,t){return"string"==typeof e&&e?r`<span class="badge ${t??_e[e]??""}">${re(e)}</span>`:l}function Te(e,t=l){return r`<div class="empty">
<p>${e}</p>
${t}
</div>`}function Se(e,t){return r`<div class="empty" role="alert">
<p class="error">${e}</p>
<button class="button" @click=${t}>Try again</button>
</div>`}var Ee=r`<div class="skeleton" role="status"><span class="hidden-text">Loading</span></div>`,Me=he.find(e=>"activity"===e.type),Ce=["Overdue","Today","Next 7 days","Later","Without a date","Done"],Ae=class extends o{constructor(){super(...arguments),this.view="list",this.month=Ne(new Date)}firstUpdated(){this.list=new de(this,"activity",!0),this.list.load()}render(){let e=this.list;return r`<div class="head">
<h1>${fe(Me,this.desk.profile.labels,!0)}</h1>
<nav class="tabs" aria-label="View">
<a href="#/activities" aria-current=${"list"===this.view?"page":l}>List</a>
<a href="#/calendar" aria-current=${"calendar"===this.view?"page":l}>Calendar</a>
</nav>
<button class="button end" @click=${()=>this.desk.ask($e)}>${$e}</button>
</div>
${!e||e.isLoading&&!e.items.length?Ee:e.error?Se(e.error,()=>e.load()):"calendar"===this.view?this.calendar(e.items):this.groups(e.items)}`}groups(e){if(!e.length)return Te("There are no activities yet. Ask the assistant to plan one.");let t=new Map(Ce.map(e=>[e,[]]));for(let s of e)t.get(De(s)).push(s);return r`${Ce.map(e=>{let s=Le(t.get(e),"Done"===e),a="Done"===e?s.slice(0,20):s;return a.length?r`<section>
<h2>${e} <span class="muted">${s.length}</span></h2>
<div class="scroll" tabindex="0" role="region" aria-label=${e}>
<table>
<tbody>
${a.map(t=>this.row(t,e))}
</tbody>
</table>
</div>
</section>`:l})}`}row(e,t){let s=e.related,a=this.desk.feed.markOf(e.id);return r`<tr class=${a?"marked":""}>
<td class="name">
<a class="link" dir="auto" href="#/activities/${e.id}">${e.display_name}</a>
${a?r` <span class="badge accent">${a.action} by ${a.isOwn?"you":a.user}</span>`:l}
</td>
<td dir="auto">${s?.name??"—"}</td>
<td>${re(String(e.activity_type))}</td>
<td>${e.due_at?ae(e.due_at):"—"}</td>
<td>${ze("Overdue"===t?"overdue":e.status)}</td>
<td>${e.owner?re(String(e.owner)):"—"}</td>
</tr>`}calendar(e){let t=new Map;for(let s of e){let e=ee(s.due_at);e&&t.set(e.toDateString(),[...t.get(e.toDateString())??[],s])}let s=(e=>{let t=(e.getDay()+6)%7,s=new Date(e.getFullYear(),e.getMonth()+1,0).getDate(),a=Math.min(6,Math.ceil((t+s)/7));return Array.from({length:7*a},(s,a)=>new Date(e.getFullYear(),e.getMonth(),1-t+a))})(this.month),a=this.month.toLocaleDateString(void 0,{month:"long",year:"numeric"});return r`<div class="head">
<button class="icon-button" aria-label="Month before" @click=${()=>this.turn(-1)}>‹</button>
<h2 aria-live="polite">${a}</h2>
<button class="icon-button" aria-label="Month after" @click=${()=>this.turn(1)}>›</button>
<button class="button" @click=${()=>this.month=Ne(new Date)}>Today</button>
</div>
<div class="scroll" tabindex="0" role="region" aria-label="Calendar of ${a}">
<table class="calendar">
<thead>
<tr>
${s.slice(0,7).map(e=>r`<th scope="col">${e.toLocaleDateString(void 0,{weekday:"short"})}</th>`)}
</tr>
</thead>
<tbody>
${Array.from({length:s.length/7},(e,a)=>r`<tr>
${s.slice(7*a,7*a+7).map(e=>this.day(e,t.get(e.toDateString())??[]))}
</tr>`)}
</tbody>
</table>
</div>`}day(e,t){let s=e.getMonth()!==this.month.getMonth(),a=Le(t).slice(0,3);return r`<td class="${s?"other":""} ${0===ie(e)?"today":""}">
<span class="day">${e.getDate()}</span>
${a.map(e=>r`<a
class="entry ${String(e.status)} ${this.desk.feed.markOf(e.id)?"marked":""}"
href="#/activities/${e.id}"
title=${e.display_name}
>${se(e.due_at)} ${e.display_name}</a
>`)}
${t.length>a.length?r`<span class="muted">+${t.length-a.length} more</span>`:l}
</td>`}turn(e){this.month=new Date(this.month.getFullYear(),this.month.getMonth()+e,1)}};function De(e){if("scheduled"!==e.status)return"Done";let t=ee(e.due_at);if(!t)return"Without a date";let s=ie(t);return t.getTime()<Date.now()?"Overdue":0===s?"Today":s<=7?"Next 7 days":"Later"}function Le(e,t=!1){let s=e=>ee(e.due_at)?.getTime()??0;return e.toSorted((e,a)=>t?s(a)-s(e):s(e)-s(a))}function Ne(e){return new Date(e.getFullYear(),e.getMonth(),1)}Ae.styles=[b,xe,n`section{margin-block-end:var(--aisha-5)}h2{margin-block-end:var(--aisha-2)}.calendar{table-layout:fixed;min-inline-size:640px}.calendar td{block-size:96px;padding:var(--aisha-1);border-inline-end:1px solid var(--aisha-line)}.calendar td.other{background:var(--aisha-sunken)}.day{display:inline-block;min-inline-size:24px;padding:2px 4px;text-align:center;color:var(--aisha-muted);border-radius:999px}.today .day{background:var(--aisha-accent-fill);color:var(--aisha-on-accent);font-weight:700}.entry{display:block;min-block-size:24px;padding:3px 6px;margin-block-start:3px;border-radius:4px;font-size:var(--aisha-text-xs);background:var(--aisha-hover);color:inherit;text-decoration:none;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.entry.completed,.entry.cancelled{text-decoration:line-through;color:var(--aisha-muted)}`],E([d({attribute:!1})],Ae.prototype,"desk",2),E([d()],Ae.prototype,"view",2),E([h()],Ae.prototype,"month",2),Ae=E([g("desk-activities")],Ae);var Pe=he.find(e=>"opportunity"===e.type),Oe=class extends o{constructor(){super(...arguments),this.over="",this.owner=""}firstUpdated(){this.list=new de(this,"opportunity",!0),this.list.load()}render(){let e=this.list;if(!e||e.isLoading&&!e.items.length)return Ee;if(e.error)return Se(e.error,()=>e.load());let t=[...new Set(e.items.map(e=>String(e.owner??"")))].filter(Boolean).sort();return r`<div class="head">
<h1>${fe(Pe,this.desk.profile.labels,!0)}</h1>
<span class="muted">${e.items.length}${e.next?"+":""} in all</span>
<label class="row end">
<span class="muted">Owner</span>
<select
.value=${this.owner}
@change=${e=>this.owner=e.target.value}
>
<option value="">Everyone</option>
${t.map(e=>r`<option value=${e}>${re(e)}</option>`)}
</select>
</label>
</div>
${e.items.length?r`<div class="board" role="group" tabindex="0" aria-label="Deals by stage">
${ce.map(e=>this.column(e))}
</div>`:Te("There are no deals yet. Ask the assistant to create one.")}`}column(e){let t=this.list.items.filter(t=>t.stage===e&&(!this.owner||t.owner===this.owner)),s=re(e);return r`<section
class=${this.over===e?"over":""}
aria-label="${s}, ${t.length}"
@dragover=${t=>this.hover(t,e)}
@dragleave=${()=>this.over=""}
@drop=${t=>this.drop(t,e)}
>
<header>
<h2>${s}<span class="muted">${t.length}</span></h2>
<span class="muted">${Ue(t)}</span>
</header>
<ul>
${t.map(e=>r`<li>${this.card(e)}</li>`)}
</ul>
</section>`}card(e){let t=this.desk.feed.markOf(e.id),s=ee(e.close_date),a=!String(e.stage).startsWith("closed"),i=s&&a&&ie(s)<0;return r`<a
class="card ${t?"marked":""}"
href="#/opportunities/${e.id}"
draggable="true"
@dragstart=${()=>this.dragged=e}
>
<strong>${e.display_name}</strong>
<span>${Z(e.amount,e.currency)}</span>
<span class="foot muted">
<span class=${i?"late":""}
>${s?`${i?"was due ":""}${ne(e.close_date)}`:"no date"}</span
>
<span>${e.owner?re(String(e.owner)):""}</span>
</span>
${t?r`<span class="news">${t.isOwn?"You":t.user} ${we(t)}</span>`:l}
</a>`}hover(e,t){!this.dragged||this.dragged.stage===t||(e.preventDefault(),this.over=t)}drop(e,t){e.preventDefault(),this.over="",this.dragged&&this.desk.ask(ke(t,this.dragged)),this.dragged=void 0}};function Ue(e){let t=new Map;for(let s of e){let e=String(s.currency??"USD");t.set(e,(t.get(e)??0)+Number(s.amount??0))}return[...t].map(([e,t])=>Z(t,e,!0)).join(" + ")||"—"}Oe.styles=[b,xe,n`.board{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(208px,1fr);gap:var(--aisha-3);overflow-x:auto;padding-block-end:var(--aisha-3);align-items:start}section{background:var(--aisha-sunken);border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);padding:var(--aisha-2);min-block-size:180px}section.over{border-color:var(--aisha-accent);background:var(--aisha-accent-soft)}header{display:grid;gap:2px;padding:var(--aisha-2)}h2{display:flex;justify-content:space-between;margin:0;font-size:var(--aisha-text-s)}ul{display:grid;gap:var(--aisha-2);margin:0;padding:0;list-style:none}.card{display:grid;gap:var(--aisha-1);inline-size:100%;padding:var(--aisha-3);text-align:start;cursor:pointer;text-decoration:none;color:inherit}.card:hover{border-color:var(--aisha-line-strong)}.card strong{overflow-wrap:anywhere;display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}.card.marked{border-color:var(--aisha-accent);animation:arrive .6s ease-out}.foot{display:flex;justify-content:space-between;gap:var(--aisha-2)}.late{color:var(--aisha-danger)}.news{font-size:var(--aisha-text-xs);color:var(--aisha-accent);overflow-wrap:anywhere}@keyframes arrive{0%{transform:translateY(-6px);opacity:.3}}`],E([d({attribute:!1})],Oe.prototype,"desk",2),E([h()],Oe.prototype,"over",2),E([h()],Oe.prototype,"owner",2),Oe=E([g("desk-board")],Oe);var Ie=class extends o{constructor(){super(...arguments),this.shown=[],this.undoing="",this.take=e=>{let t=new Map;for(let s of e.detail){let e=s.operation??String(s.sequence);t.set(e,[...t.get(e)??[],s])}for(let[e,s]of t)this.forgetUndone(s),this.shown=[{key:e,changes:s},...this.shown.filter(t=>t.key!==e)].slice(0,3),setTimeout(()=>this.expire(e),s[0].isOwn?3e4:12e3)}}connectedCallback(){super.connectedCallback(),this.desk.feed.addEventListener("changes",this.take)}disconnectedCallback(){super.disconnectedCallback(),this.desk.feed.removeEventListener("changes",this.take)}render(){return r`<aside aria-label="Changes">
<div role="status" class="hidden-text">${this.shown[0]?this.words(this.shown[0]):l}</div>
${this.shown.map(e=>this.row(e))}
</aside>`}row(e){let t=e.changes[0],s=t.isOwn&&t.operation&&"undo_last"!==t.tool;return r`<div class="change">
<p>${this.words(e)}</p>
${s?r`<button class="button" ?disabled=${this.undoing===e.key} @click=${()=>this.undo(e)}>
Undo
</button>`:l}
<button class="icon-button small" aria-label="Dismiss" @click=${()=>this.drop(e.key)}>✕</button>
</div>`}words(e){let t=e.changes[0],s=t.isOwn?"You":t.user;if(1===e.changes.length)return`${s} ${we(t)}.`;let a=me(t.entity.type)?.many.toLowerCase()??"records";return`${s} ${"undo_last"===t.tool?"took back a change of":t.action} ${e.changes.length} ${a}.`}forgetUndone(e){if("undo_last"!==e[0].tool)return;let t=new Set(e.map(e=>e.entity.id));this.shown=this.shown.filter(e=>!e.changes.every(e=>t.has(e.entity.id)))}expire(e){this.matches(":hover, :focus-within")?setTimeout(()=>this.expire(e),12e3):this.drop(e)}drop(e){this.shown=this.shown.filter(t=>t.key!==e)}async undo(e){this.undoing=e.key;try{let t=e.changes[0].operation??null;await this.desk.api.rest.POST("/api/ai/undo",{params:{header:{"Idempotency-Key":`undo.${e.key}`}},body:{operation:t}}),this.shown=this.shown.filter(t=>t.key!==e.key),this.desk.feed.poke()}catch(e){this.desk.tell(oe(e),!0)}this.undoing=""}};Ie.styles=[b,xe,n`:host{position:fixed;inset-block-end:var(--aisha-4);inset-inline-start:var(--aisha-4);z-index:5;inline-size:min(440px,calc(100vw - 2 * var(--aisha-4)));pointer-events:none}aside{display:grid;gap:var(--aisha-2)}.change{display:flex;align-items:center;gap:var(--aisha-3);padding:var(--aisha-3) var(--aisha-4);background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius);box-shadow:var(--aisha-shadow);pointer-events:auto}.change p{flex:1;overflow-wrap:anywhere;display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}`],E([d({attribute:!1})],Ie.prototype,"desk",2),E([h()],Ie.prototype,"shown",2),E([h()],Ie.prototype,"undoing",2),Ie=E([g("desk-changes")],Ie);var Re,je,We="u-off",qe="u-label",Fe="width",Ge="height",Ye="bottom",He="left",Be="right",Ke="#000",Ve=Ke+"0",Je="mousemove",Ze="mousedown",Xe="mouseup",Qe="mouseenter",et="mouseleave",tt="dblclick",st="change",at="dppxchange",it="--",nt=typeof window<"u",rt=nt?document:null,lt=nt?window:null,ot=nt?navigator:null;function dt(e,t){if(null!=t){let s=e.classList;!s.contains(t)&&s.add(t)}}function ht(e,t){let s=e.classList;s.contains(t)&&s.remove(t)}function ct(e,t,s){e.style[t]=s+"px"}function ut(e,t,s,a){let i=rt.createElement(e);return null!=t&&dt(i,t),s?.insertBefore(i,a),i}function pt(e,t){return ut("div",e,t)}var mt=new WeakMap;function gt(e,t,s,a,i){let n="translate("+t+"px,"+s+"px)";n!=mt.get(e)&&(e.style.transform=n,mt.set(e,n),t<0||s<0||t>a||s>i?dt(e,We):ht(e,We))}var ft=new WeakMap;function vt(e,t,s){let a=t+s;a!=ft.get(e)&&(ft.set(e,a),e.style.background=t,e.style.borderColor=s)}var yt=new WeakMap;function bt(e,t,s,a){let i=t+""+s;i!=yt.get(e)&&(yt.set(e,i),e.style.height=s+"px",e.style.width=t+"px",e.style.marginLeft=a?-t/2+"px":0,e.style.marginTop=a?-s/2+"px":0)}var wt={passive:!0},$t={...wt,capture:!0};function kt(e,t,s,a){t.addEventListener(e,s,a?$t:wt)}function xt(e,t,s,a){t.removeEventListener(e,s,wt)}function _t(e,t,s,a){let i;s=s||0;let n=(a=a||t.length-1)<=2147483647;for(;a-s>1;)i=n?s+a>>1:Ft((s+a)/2),t[i]<e?s=i:a=i;return e-t[s]<=t[a]-e?s:a}function zt(e){return(t,s,a)=>{let i=-1,n=-1;for(let n=s;n<=a;n++)if(e(t[n])){i=n;break}for(let i=a;i>=s;i--)if(e(t[i])){n=i;break}return[i,n]}}nt&&function e(){let t=devicePixelRatio;Re!=t&&(Re=t,je&&xt(st,je,e),je=matchMedia(`(min-resolution: ${Re-.001}dppx) and (max-resolution: ${Re+.001}dppx)`),kt(st,je,e),lt.dispatchEvent(new CustomEvent(at)))}();var Tt=e=>null!=e,St=e=>null!=e&&e>0,Et=zt(Tt),Mt=zt(St);function Ct(e,t,s,a){let i=Vt(e),n=Vt(t);e==t&&(-1==i?(e*=s,t/=s):(e/=s,t*=s));let r=10==s?Jt:Zt,l=1==n?Yt:Ft,o=(1==i?Ft:Yt)(r(qt(e))),d=l(r(qt(t))),h=Kt(s,o),c=Kt(s,d);return 10==s&&(o<0&&(h=ms(h,-o)),d<0&&(c=ms(c,-d))),a||2==s?(e=h*i,t=c*n):(e=ps(e,h),t=us(t,c)),[e,t]}function At(e,t,s,a){let i=Ct(e,t,s,a);return 0==e&&(i[0]=0),0==t&&(i[1]=0),i}var Dt={mode:3,pad:.1},Lt={pad:0,soft:null,mode:0},Nt={min:Lt,max:Lt};function Pt(e,t,s,a){return _s(s)?Ut(e,t,s):(Lt.pad=s,Lt.soft=a?0:null,Lt.mode=a?3:0,Ut(e,t,Nt))}function Ot(e,t){return e??t}function Ut(e,t,s){let a=s.min,i=s.max,n=Ot(a.pad,0),r=Ot(i.pad,0),l=Ot(a.hard,-Qt),o=Ot(i.hard,Qt),d=Ot(a.soft,Qt),h=Ot(i.soft,-Qt),c=Ot(a.mode,0),u=Ot(i.mode,0),p=t-e,m=Jt(p),g=Bt(qt(e),qt(t)),f=Jt(g),v=qt(f-m);(p<1e-24||v>10)&&(p=0,(0==e||0==t)&&(p=1e-24,2==c&&d!=Qt&&(n=0),2==u&&h!=-Qt&&(r=0)));let y=p||g||1e3,b=Jt(y),w=Kt(10,Ft(b)),$=ms(ps(e-y*(0==p?0==e?.1:1:n),w/10),24),k=e>=d&&(1==c||3==c&&$<=d||2==c&&$>=d)?d:Qt,x=Bt(l,$<k&&e>=k?k:Ht(k,$)),_=ms(us(t+y*(0==p?0==t?.1:1:r),w/10),24),z=t<=h&&(1==u||3==u&&_>=h||2==u&&_<=h)?h:-Qt,T=Ht(o,_>z&&t<=z?z:Bt(z,_));return x==T&&0==x&&(T=100),[x,T]}var It=new Intl.NumberFormat(nt?ot.language:"en-US"),Rt=e=>It.format(e),jt=Math,Wt=jt.PI,qt=jt.abs,Ft=jt.floor,Gt=jt.round,Yt=jt.ceil,Ht=jt.min,Bt=jt.max,Kt=jt.pow,Vt=jt.sign,Jt=jt.log10,Zt=jt.log2,Xt=(e,t=1)=>jt.asinh(e/t),Qt=1/0;function es(e){return 1+(0|Jt((e^e>>31)-(e>>31)))}function ts(e,t,s){return Ht(Bt(e,t),s)}function ss(e){return"function"==typeof e}function as(e){return ss(e)?e:()=>e}var is=e=>e,ns=(e,t)=>t,rs=e=>null,ls=e=>!0,os=(e,t)=>e==t,ds=/\.\d*?(?=9{6,}|0{6,})/gm,hs=e=>{if(ks(e)||gs.has(e))return e;let t=`${e}`,s=t.match(ds);if(null==s)return e;let a=s[0].length-1;if(-1!=t.indexOf("e-")){let[e,s]=t.split("e");return+`${hs(e)}e${s}`}return ms(e,a)};function cs(e,t){return hs(ms(hs(e/t))*t)}function us(e,t){return hs(Yt(hs(e/t))*t)}function ps(e,t){return hs(Ft(hs(e/t))*t)}function ms(e,t=0){if(ks(e))return e;let s=10**t,a=e*s*(1+Number.EPSILON);return Gt(a)/s}var gs=new Map;function fs(e){return((""+e).split(".")[1]||"").length}function vs(e,t,s,a){let i=[],n=a.map(fs);for(let r=t;r<s;r++){let t=qt(r),s=ms(Kt(e,r),t);for(let l=0;l<a.length;l++){let o=10==e?+`${a[l]}e${r}`:a[l]*s,d=(r>=0?0:t)+(r>=n[l]?0:n[l]),h=10==e?o:ms(o,d);i.push(h),gs.set(h,d)}}return i}var ys={},bs=[],ws=[null,null],$s=Array.isArray,ks=Number.isInteger;function xs(e){return"string"==typeof e}function _s(e){let t=!1;if(null!=e){let s=e.constructor;t=null==s||s==Object}return t}function zs(e){return null!=e&&"object"==typeof e}var Ts=Object.getPrototypeOf(Uint8Array),Ss="__proto__";function Es(e,t=_s){let s;if($s(e)){let a=e.find(e=>null!=e);if($s(a)||t(a)){s=Array(e.length);for(let a=0;a<e.length;a++)s[a]=Es(e[a],t)}else s=e.slice()}else if(e instanceof Ts)s=e.slice();else if(t(e)){s={};for(let a in e)a!=Ss&&(s[a]=Es(e[a],t))}else s=e;return s}function Ms(e){let t=arguments;for(let s=1;s<t.length;s++){let a=t[s];for(let t in a)t!=Ss&&(_s(e[t])?Ms(e[t],Es(a[t])):e[t]=Es(a[t]))}return e}function Cs(e,t,s){for(let a,i=0,n=-1;i<t.length;i++){let r=t[i];if(r>n){for(a=r-1;a>=0&&null==e[a];)e[a--]=null;for(a=r+1;a<s&&null==e[a];)e[n=a++]=null}}}var As=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask,Ds=["January","February","March","April","May","June","July","August","September","October","November","December"],Ls=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Ns(e){return e.slice(0,3)}var Ps=Ls.map(Ns),Os=Ds.map(Ns),Us={MMMM:Ds,MMM:Os,WWWW:Ls,WWW:Ps};function Is(e){return(e<10?"0":"")+e}var Rs={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Is(e.getMonth()+1),M:e=>e.getMonth()+1,DD:e=>Is(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Is(e.getHours()),H:e=>e.getHours(),h:e=>{let t=e.getHours();return 0==t?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Is(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>Is(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>(e=>(e<10?"00":e<100?"0":"")+e)(e.getMilliseconds())};function js(e,t){t=t||Us;let s,a=[],i=/\{([a-z]+)\}|[^{]+/gi;for(;s=i.exec(e);)a.push("{"==s[0][0]?Rs[s[1]]:s[0]);return e=>{let s="";for(let i=0;i<a.length;i++)s+="string"==typeof a[i]?a[i]:a[i](e,t);return s}}var Ws=(new Intl.DateTimeFormat).resolvedOptions().timeZone,qs=e=>e%1==0,Fs=[1,2,2.5,5],Gs=vs(10,-32,0,Fs),Ys=vs(10,0,32,Fs),Hs=Ys.filter(qs),Bs=Gs.concat(Ys),Ks="{YYYY}",Vs="\n"+Ks,Js="{M}/{D}",Zs="\n"+Js,Xs=Zs+"/{YY}",Qs="{aa}",ea="{h}:{mm}"+Qs,ta="\n"+ea,sa=":{ss}",aa=null;function ia(e){let t=1e3*e,s=60*t,a=60*s,i=24*a,n=30*i,r=365*i;return[(1==e?vs(10,0,3,Fs).filter(qs):vs(10,-3,0,Fs)).concat([t,5*t,10*t,15*t,30*t,s,5*s,10*s,15*s,30*s,a,2*a,3*a,4*a,6*a,8*a,12*a,i,2*i,3*i,4*i,5*i,6*i,7*i,8*i,9*i,10*i,15*i,n,2*n,3*n,4*n,6*n,r,2*r,5*r,10*r,25*r,50*r,100*r]),[[r,Ks,aa,aa,aa,aa,aa,aa,1],[28*i,"{MMM}",Vs,aa,aa,aa,aa,aa,1],[i,Js,Vs,aa,aa,aa,aa,aa,1],[a,"{h}"+Qs,Xs,aa,Zs,aa,aa,aa,1],[s,ea,Xs,aa,Zs,aa,aa,aa,1],[t,sa,Xs+" "+ea,aa,Zs+" "+ea,aa,ta,aa,1],[e,sa+".{fff}",Xs+" "+ea,aa,Zs+" "+ea,aa,ta,aa,1]],t=>(l,o,d,h,c,u)=>{let p=[],m=c>=r,g=c>=n&&c<r,f=t(d),v=ms(f*e,3),y=pa(f.getFullYear(),m?0:f.getMonth(),g||m?1:f.getDate()),b=ms(y*e,3);if(g||m){let s=g?c/n:0,a=m?c/r:0,i=v==b?v:ms(pa(y.getFullYear()+a,y.getMonth()+s,1)*e,3),l=new Date(Gt(i/e)),o=l.getFullYear(),d=l.getMonth();for(let n=0;i<=h;n++){let r=pa(o+a*n,d+s*n,1),l=r-t(ms(r*e,3));i=ms((+r+l)*e,3),i<=h&&p.push(i)}}else{let n=c>=i?i:c,r=b+(Ft(d)-Ft(v))+us(v-b,n);p.push(r);let m=t(r),g=m.getHours()+m.getMinutes()/s+m.getSeconds()/a,f=c/a,y=u/l.axes[o]._space;for(;r=ms(r+c,1==e?0:3),!(r>h);)if(f>1){let e=Ft(ms(g+f,6))%24,s=t(r).getHours()-e;s>1&&(s=-1),r-=s*a,g=(g+f)%24,ms((r-p[p.length-1])/c,3)*y>=.7&&p.push(r)}else p.push(r)}return p}]}var[na,ra,la]=ia(1),[oa,da,ha]=ia(.001);function ca(e,t){return e.map(e=>e.map((s,a)=>0==a||8==a||null==s?s:t(1==a||0==e[8]?s:e[1]+s)))}function ua(e,t){return(s,a,i,n,r)=>{let l,o,d,h,c,u,p=t.find(e=>r>=e[0])||t[t.length-1];return a.map(t=>{let s=e(t),a=s.getFullYear(),i=s.getMonth(),n=s.getDate(),r=s.getHours(),m=s.getMinutes(),g=s.getSeconds(),f=a!=l&&p[2]||i!=o&&p[3]||n!=d&&p[4]||r!=h&&p[5]||m!=c&&p[6]||g!=u&&p[7]||p[1];return l=a,o=i,d=n,h=r,c=m,u=g,f(s)})}}function pa(e,t,s){return new Date(e,t,s)}function ma(e,t){return t(e)}function ga(e,t){return(s,a,i,n)=>null==n?it:t(e(a))}vs(2,-53,53,[1]);var fa={show:!0,live:!0,isolate:!1,mount:()=>{},markers:{show:!0,width:2,stroke:(e,t)=>{let s=e.series[t];return s.width?s.stroke(e,t):s.points.width?s.points.stroke(e,t):null},fill:(e,t)=>e.series[t].fill(e,t),dash:"solid"},idx:null,idxs:null,values:[]},va=[0,0];function ya(e,t,s,a=!0){return e=>{0==e.button&&(!a||e.target==t)&&s(e)}}function ba(e,t,s,a=!0){return e=>{(!a||e.target==t)&&s(e)}}var wa={show:!0,x:!0,y:!0,lock:!1,move:(e,t,s)=>(va[0]=t,va[1]=s,va),points:{one:!1,show:(e,t)=>{let s=e.cursor.points,a=pt(),i=s.size(e,t);ct(a,Fe,i),ct(a,Ge,i);let n=i/-2;ct(a,"marginLeft",n),ct(a,"marginTop",n);let r=s.width(e,t,i);return r&&ct(a,"borderWidth",r),a},size:(e,t)=>e.series[t].points.size,width:0,stroke:(e,t)=>{let s=e.series[t].points;return s._stroke||s._fill},fill:(e,t)=>{let s=e.series[t].points;return s._fill||s._stroke}},bind:{mousedown:ya,mouseup:ya,click:ya,dblclick:ya,mousemove:ba,mouseleave:ba,mouseenter:ba},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,s,a,i)=>a-i,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},$a={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},ka=Ms({},$a,{filter:ns}),xa=Ms({},ka,{size:10}),_a=Ms({},$a,{show:!1}),za='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Ta="bold "+za,Sa={show:!0,scale:"x",stroke:Ke,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Ta,side:2,grid:ka,ticks:xa,border:_a,font:za,lineGap:1.5,rotate:0},Ea={show:!0,scale:"x",auto:!1,sorted:1,min:Qt,max:-Qt,idxs:[]};function Ma(e,t,s,a,i){return t.map(e=>null==e?"":Rt(e))}function Ca(e,t,s,a,i,n,r){let l=[],o=gs.get(i)||0;for(let e=s=r?s:ms(us(s,i),o);e<=a;e=ms(e+i,o))l.push(Object.is(e,-0)?0:e);return l}function Aa(e,t,s,a,i,n,r){let l=[],o=e.scales[e.axes[t].scale].log,d=Ft((10==o?Jt:Zt)(s));i=Kt(o,d),10==o&&(i=Bs[_t(i,Bs)]);let h=s,c=i*o;10==o&&(c=Bs[_t(c,Bs)]);do{l.push(h),h+=i,10==o&&!gs.has(h)&&(h=ms(h,gs.get(i))),h>=c&&(c=(i=h)*o,10==o&&(c=Bs[_t(c,Bs)]))}while(h<=a);return l}function Da(e,t,s,a,i,n,r){let l=e.scales[e.axes[t].scale].asinh,o=a>l?Aa(e,t,Bt(l,s),a,i):[l],d=a>=0&&s<=0?[0]:[];return(s<-l?Aa(e,t,Bt(l,-a),-s,i):[l]).reverse().map(e=>-e).concat(d,o)}var La=/./,Na=/[12357]/,Pa=/[125]/,Oa=/1/,Ua=(e,t,s,a)=>e.map((e,i)=>4==t&&0==e||i%a==0&&s.test(e.toExponential()[e<0?1:0])?e:null);function Ia(e,t,s,a,i){let n=e.axes[s],r=n.scale,l=e.scales[r],o=e.valToPos,d=n._space,h=o(10,r),c=o(9,r)-h>=d?La:o(7,r)-h>=d?Na:o(5,r)-h>=d?Pa:Oa;if(c==Oa){let e=qt(o(1,r)-h);if(e<d)return Ua(t.slice().reverse(),l.distr,c,Yt(d/e)).reverse()}return Ua(t,l.distr,c,1)}function Ra(e,t,s,a,i){let n=e.axes[s],r=n.scale,l=n._space,o=e.valToPos,d=qt(o(1,r)-o(2,r));return d<l?Ua(t.slice().reverse(),3,La,Yt(l/d)).reverse():t}function ja(e,t,s,a){return null==a?it:null==t?"":Rt(t)}var Wa={show:!0,scale:"y",stroke:Ke,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Ta,side:3,grid:ka,ticks:xa,border:_a,font:za,lineGap:1.5,rotate:0},qa={scale:null,auto:!0,sorted:0,min:Qt,max:-Qt},Fa=(e,t,s,a,i)=>i,Ga={show:!0,auto:!0,sorted:0,gaps:Fa,alpha:1,facets:[Ms({},qa,{scale:"x"}),Ms({},qa,{scale:"y"})]},Ya={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:Fa,alpha:1,points:{show:(e,t)=>{let{scale:s,idxs:a}=e.series[0],i=e._data[0],n=e.valToPos(i[a[0]],s,!0),r=e.valToPos(i[a[1]],s,!0),l=qt(r-n)/(e.series[t].points.space*Re);return a[1]-a[0]<=l},filter:null},values:null,min:Qt,max:-Qt,idxs:[],path:null,clip:null};function Ha(e,t,s,a,i){return s/10}var Ba={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Ka=Ms({},Ba,{time:!1,ori:1}),Va={};function Ja(e,t){let s=Va[e];return s||(s={key:e,plots:[],sub(e){s.plots.push(e)},unsub(e){s.plots=s.plots.filter(t=>t!=e)},pub(e,t,a,i,n,r,l){for(let o=0;o<s.plots.length;o++)s.plots[o]!=t&&s.plots[o].pub(e,t,a,i,n,r,l)}},null!=e&&(Va[e]=s)),s}function Za(e,t,s){let a=e.mode,i=e.series[t],n=2==a?e._data[t]:e._data,r=e.scales,l=e.bbox,o=n[0],d=2==a?n[1]:n[t],h=2==a?r[i.facets[0].scale]:r[e.series[0].scale],c=2==a?r[i.facets[1].scale]:r[i.scale],u=l.left,p=l.top,m=l.width,g=l.height,f=e.valToPosH,v=e.valToPosV;return 0==h.ori?s(i,o,d,h,c,f,v,u,p,m,g,ni,li,di,ci,pi):s(i,o,d,h,c,v,f,p,u,g,m,ri,oi,hi,ui,mi)}function Xa(e,t){let s=0,a=0,i=Ot(e.bands,bs);for(let e=0;e<i.length;e++){let n=i[e];n.series[0]==t?s=n.dir:n.series[1]==t&&(1==n.dir?a|=1:a|=2)}return[s,1==a?-1:2==a?1:3==a?2:0]}function Qa(e,t,s,a,i){let n=e.mode,r=e.series[t],l=2==n?r.facets[1].scale:r.scale,o=e.scales[l];return-1==i?o.min:1==i?o.max:3==o.distr?1==o.dir?o.min:o.max:0}function ei(e,t,s,a,i,n){return Za(e,t,(e,t,r,l,o,d,h,c,u,p,m)=>{let g,f,v=e.pxRound,y=l.dir*(0==l.ori?1:-1),b=0==l.ori?li:oi;1==y?(g=s,f=a):(g=a,f=s);let w=v(d(t[g],l,p,c)),$=v(h(r[g],o,m,u)),k=v(d(t[f],l,p,c)),x=v(h(1==n?o.max:o.min,o,m,u)),_=new Path2D(i);return b(_,k,x),b(_,w,x),b(_,w,$),_})}function ti(e,t,s,a,i,n){let r=null;if(e.length>0){r=new Path2D;let l=0==t?di:hi,o=s;for(let t=0;t<e.length;t++){let s=e[t];if(s[1]>s[0]){let e=s[0]-o;e>0&&l(r,o,a,e,a+n),o=s[1]}}let d=s+i-o,h=10;d>0&&l(r,o,a-h/2,d,a+n+h)}return r}function si(e,t,s,a,i,n,r){let l=[],o=e.length;for(let d=1==i?s:a;d>=s&&d<=a;d+=i)if(null===t[d]){let h=d,c=d;if(1==i)for(;++d<=a&&null===t[d];)c=d;else for(;--d>=s&&null===t[d];)c=d;let u=n(e[h]),p=c==h?u:n(e[c]),m=h-i;u=r<=0&&m>=0&&m<o?n(e[m]):u;let g=c+i;p=r>=0&&g>=0&&g<o?n(e[g]):p,p>=u&&l.push([u,p])}return l}function ai(e){return 0==e?is:1==e?Gt:t=>cs(t,e)}function ii(e){let t=0==e?ni:ri,s=0==e?(e,t,s,a,i,n)=>{e.arcTo(t,s,a,i,n)}:(e,t,s,a,i,n)=>{e.arcTo(s,t,i,a,n)},a=0==e?(e,t,s,a,i)=>{e.rect(t,s,a,i)}:(e,t,s,a,i)=>{e.rect(s,t,i,a)};return(e,i,n,r,l,o=0,d=0)=>{0==o&&0==d?a(e,i,n,r,l):(o=Ht(o,r/2,l/2),d=Ht(d,r/2,l/2),t(e,i+o,n),s(e,i+r,n,i+r,n+l,o),s(e,i+r,n+l,i,n+l,d),s(e,i,n+l,i,n,d),s(e,i,n,i+r,n,o),e.closePath())}}var ni=(e,t,s)=>{e.moveTo(t,s)},ri=(e,t,s)=>{e.moveTo(s,t)},li=(e,t,s)=>{e.lineTo(t,s)},oi=(e,t,s)=>{e.lineTo(s,t)},di=ii(0),hi=ii(1),ci=(e,t,s,a,i,n)=>{e.arc(t,s,a,i,n)},ui=(e,t,s,a,i,n)=>{e.arc(s,t,a,i,n)},pi=(e,t,s,a,i,n,r)=>{e.bezierCurveTo(t,s,a,i,n,r)},mi=(e,t,s,a,i,n,r)=>{e.bezierCurveTo(s,t,i,a,r,n)};function gi(e){return(e,t,s,a,i)=>Za(e,t,(t,n,r,l,o,d,h,c,u,p,m)=>{let g,f,{pxRound:v,points:y}=t;0==l.ori?(g=ni,f=ci):(g=ri,f=ui);let b=ms(y.width*Re,3),w=(y.size-y.width)/2*Re,$=ms(2*w,3),k=new Path2D,x=new Path2D,{left:_,top:z,width:T,height:S}=e.bbox;di(x,_-$,z-$,T+2*$,S+2*$);let E=e=>{if(null!=r[e]){let t=v(d(n[e],l,p,c)),s=v(h(r[e],o,m,u));g(k,t+w,s),f(k,t,s,w,0,2*Wt)}};if(i)i.forEach(E);else for(let e=s;e<=a;e++)E(e);return{stroke:b>0?k:null,fill:k,clip:x,flags:3}})}function fi(e){return(t,s,a,i,n,r)=>{a!=i&&(n!=a&&r!=a&&e(t,s,a),n!=i&&r!=i&&e(t,s,i),e(t,s,r))}}var vi=fi(li),yi=fi(oi);function bi(e){let t=Ot(e?.alignGaps,0);return(e,s,a,i)=>Za(e,s,(n,r,l,o,d,h,c,u,p,m,g)=>{[a,i]=Et(l,a,i);let f,v,y=n.pxRound,b=e=>y(h(e,o,m,u)),w=e=>y(c(e,d,g,p));0==o.ori?(f=li,v=vi):(f=oi,v=yi);let $=o.dir*(0==o.ori?1:-1),k={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},x=k.stroke,_=!1;if(i-a>=4*m){let t,s,n,d=t=>e.posToVal(t,o.key,!0),h=null,c=null,u=b(r[1==$?a:i]),p=b(r[a]),m=b(r[i]),g=d(1==$?p+1:m-1);for(let e=1==$?a:i;e>=a&&e<=i;e+=$){let a=r[e],i=(1==$?a<g:a>g)?u:b(a),n=l[e];i==u?null!=n?(s=n,null==h?(f(x,i,w(s)),t=h=c=s):s<h?h=s:s>c&&(c=s)):null===n&&(_=!0):(null!=h&&v(x,u,w(h),w(c),w(t),w(s)),null!=n?(s=n,f(x,i,w(s)),h=c=t=s):(h=c=null,null===n&&(_=!0)),u=i,g=d(u+$))}null!=h&&h!=c&&n!=u&&v(x,u,w(h),w(c),w(t),w(s))}else for(let e=1==$?a:i;e>=a&&e<=i;e+=$){let t=l[e];null===t?_=!0:null!=t&&f(x,b(r[e]),w(t))}let[z,T]=Xa(e,s);if(null!=n.fill||0!=z){let t=k.fill=new Path2D(x),l=w(n.fillTo(e,s,n.min,n.max,z)),o=b(r[a]),d=b(r[i]);-1==$&&([d,o]=[o,d]),f(t,d,l),f(t,o,l)}if(!n.spanGaps){let d=[];_&&d.push(...si(r,l,a,i,$,b,t)),k.gaps=d=n.gaps(e,s,a,i,d),k.clip=ti(d,o.ori,u,p,m,g)}return 0!=T&&(k.band=2==T?[ei(e,s,a,i,x,-1),ei(e,s,a,i,x,1)]:ei(e,s,a,i,x,T)),k})}function wi(e,t,s,a,i,n,r=Qt){if(e.length>1){let l=null;for(let o=0,d=1/0;o<e.length;o++)if(void 0!==t[o]){if(null!=l){let t=qt(e[o]-e[l]);t<d&&(d=t,r=qt(s(e[o],a,i,n)-s(e[l],a,i,n)))}l=o}}return r}function $i(e,t,s,a,i,n){let r=e.length;if(r<2)return null;let l=new Path2D;if(s(l,e[0],t[0]),2==r)a(l,e[1],t[1]);else{let s=Array(r),a=Array(r-1),n=Array(r-1),o=Array(r-1);for(let s=0;s<r-1;s++)n[s]=t[s+1]-t[s],o[s]=e[s+1]-e[s],a[s]=n[s]/o[s];s[0]=a[0];for(let e=1;e<r-1;e++)0===a[e]||0===a[e-1]||a[e-1]>0!=a[e]>0?s[e]=0:(s[e]=3*(o[e-1]+o[e])/((2*o[e]+o[e-1])/a[e-1]+(o[e]+2*o[e-1])/a[e]),isFinite(s[e])||(s[e]=0));s[r-1]=a[r-2];for(let a=0;a<r-1;a++)i(l,e[a]+o[a]/3,t[a]+s[a]*o[a]/3,e[a+1]-o[a]/3,t[a+1]-s[a+1]*o[a]/3,e[a+1],t[a+1])}return l}var ki=new Set;function xi(){for(let e of ki)e.syncRect(!0)}nt&&(kt("resize",lt,xi),kt("scroll",lt,xi,!0),kt(at,lt,()=>{Ui.pxRatio=Re}));var _i=bi(),zi=gi();function Ti(e,t,s,a){return(a?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((e,a)=>Si(e,a,t,s))}function Si(e,t,s,a){return Ms({},0==t?s:a,e)}function Ei(e,t,s){return null==t?ws:[t,s]}var Mi=Ei;function Ci(e,t,s){return null==t?ws:Pt(t,s,.1,!0)}function Ai(e,t,s,a){return null==t?ws:Ct(t,s,e.scales[a].log,!1)}var Di=Ai;function Li(e,t,s,a){return null==t?ws:At(t,s,e.scales[a].log,!1)}var Ni=Li;function Pi(e){let t,s;return[e=e.replace(/(\d+)px/,(e,a)=>(t=Gt((s=+a)*Re))+"px"),t,s]}function Oi(e){e.show&&[e.font,e.labelFont].forEach(e=>{let t=ms(e[2]*Re,1);e[0]=e[0].replace(/[0-9.]+px/,t+"px"),e[1]=t})}function Ui(e,t,s){let a={mode:Ot(e.mode,1)},i=a.mode;function n(e,t,s,a){let i=t.valToPct(e);return a+s*(-1==t.dir?1-i:i)}function r(e,t,s,a){let i=t.valToPct(e);return a+s*(-1==t.dir?i:1-i)}function l(e,t,s,a){return 0==t.ori?n(e,t,s,a):r(e,t,s,a)}a.valToPosH=n,a.valToPosV=r;let o=!1;a.status=0;let d=a.root=pt("uplot");null!=e.id&&(d.id=e.id),dt(d,e.class),e.title&&(pt("u-title",d).textContent=e.title);let h=ut("canvas"),c=a.ctx=h.getContext("2d"),u=pt("u-wrap",d);kt("click",u,e=>{e.target===m&&(sa!=Xs||aa!=Qs)&&pa.click(a,e)},!0);let p=a.under=pt("u-under",u);u.appendChild(h);let m=a.over=pt("u-over",u),g=+Ot((e=Es(e)).pxAlign,1),f=ai(g);(e.plugins||[]).forEach(t=>{t.opts&&(e=t.opts(a,e)||e)});let v=e.ms||.001,y=a.series=1==i?Ti(e.series||[],Ea,Ya,!1):((e,t)=>e.map((e,s)=>0==s?{}:Ms({},t,e)))(e.series||[null],Ga),b=a.axes=Ti(e.axes||[],Sa,Wa,!0),w=a.scales={},$=a.bands=e.bands||[];$.forEach(e=>{e.fill=as(e.fill||null),e.dir=Ot(e.dir,-1)});let k=2==i?y[1].facets[0].scale:y[0].scale,x={axes:()=>{for(let e=0;e<b.length;e++){let t=b[e];if(!t.show||!t._show)continue;let s,i,n=t.side,r=n%2,o=t.stroke(a,e),d=0==n||3==n?-1:1,[h,u]=t._found;if(null!=t.label){let l=t.labelGap*d,p=Gt((t._lpos+l)*Re);ds(t.labelFont[0],o,"center",2==n?"top":Ye),c.save(),1==r?(s=i=0,c.translate(p,Gt(me+fe/2)),c.rotate((3==n?-Wt:Wt)/2)):(s=Gt(pe+ge/2),i=p);let m=ss(t.label)?t.label(a,e,h,u):t.label;c.fillText(m,s,i),c.restore()}if(0==u)continue;let p=w[t.scale],m=0==r?ge:fe,g=0==r?pe:me,v=t._splits,y=2==p.distr?v.map(e=>Rt[e]):v,$=2==p.distr?Rt[v[1]]-Rt[v[0]]:h,k=t.ticks,x=t.border,_=k.show?k.size:0,z=Gt(_*Re),T=Gt((2==t.alignTo?t._size-_-t.gap:t.gap)*Re),S=t._rotate*-Wt/180,E=f(t._pos*Re),M=E+(z+T)*d;i=0==r?M:0,s=1==r?M:0,ds(t.font[0],o,1==t.align?He:2==t.align?Be:S>0?He:S<0?Be:0==r?"center":3==n?Be:He,S||1==r?"middle":2==n?"top":Ye);let C=t.font[1]*t.lineGap,A=v.map(e=>f(l(e,p,m,g))),D=t._values;for(let e=0;e<D.length;e++){let t=D[e];if(null!=t){0==r?s=A[e]:i=A[e],t=""+t;let a=-1==t.indexOf("\n")?[t]:t.split(/\n/gm);for(let e=0;e<a.length;e++){let t=a[e];S?(c.save(),c.translate(s,i+e*C),c.rotate(S),c.fillText(t,0,0),c.restore()):c.fillText(t,s,i+e*C)}}}k.show&&Ds(A,k.filter(a,y,e,u,$),r,n,E,z,ms(k.width*Re,3),k.stroke(a,e),k.dash,k.cap);let L=t.grid;L.show&&Ds(A,L.filter(a,y,e,u,$),r,0==r?2:1,0==r?me:pe,0==r?fe:ge,ms(L.width*Re,3),L.stroke(a,e),L.dash,L.cap),x.show&&Ds([E],[1],0==r?1:0,0==r?1:2,1==r?me:pe,1==r?fe:ge,ms(x.width*Re,3),x.stroke(a,e),x.dash,x.cap)}vi("drawAxes")},series:()=>{if(Ie>0){let e=y.some(e=>e._focus)&&$t!=Ee.alpha;e&&(c.globalAlpha=$t=Ee.alpha),y.forEach((e,s)=>{if(s>0&&e.show&&(ps(s,!1),ps(s,!0),null==e._paths)){let n=$t;$t!=e.alpha&&(c.globalAlpha=$t=e.alpha);let r=2==i?[0,t[s][0].length-1]:(e=>{let t=ts(Nt-1,0,Ie-1),s=ts(Ut+1,0,Ie-1);for(;null==e[t]&&t>0;)t--;for(;null==e[s]&&s<Ie-1;)s++;return[t,s]})(t[s]);e._paths=e.paths(a,s,r[0],r[1]),$t!=n&&(c.globalAlpha=$t=n)}}),y.forEach((e,t)=>{if(t>0&&e.show){let s=$t;$t!=e.alpha&&(c.globalAlpha=$t=e.alpha),null!=e._paths&&vs(t,!1);{let s=null!=e._paths?e._paths.gaps:null,i=e.points.show(a,t,Nt,Ut,s),n=e.points.filter(a,t,i,s);(i||n)&&(e.points._paths=e.points.paths(a,t,Nt,Ut,n),vs(t,!0))}$t!=s&&(c.globalAlpha=$t=s),vi("drawSeries",t)}}),e&&(c.globalAlpha=$t=1)}}},_=(e.drawOrder||["axes","series"]).map(e=>x[e]);function z(e){let t=3==e.distr?t=>Jt(t>0?t:e.clamp(a,t,e.min,e.max,e.key)):4==e.distr?t=>Xt(t,e.asinh):100==e.distr?t=>e.fwd(t):e=>e;return s=>{let a=t(s),{_min:i,_max:n}=e;return(a-i)/(n-i)}}function T(t){let s=w[t];if(null==s){let a=(e.scales||ys)[t]||ys;if(null!=a.from){T(a.from);let e=Ms({},w[a.from],a,{key:t});e.valToPct=z(e),w[t]=e}else{s=w[t]=Ms({},t==k?Ba:Ka,a),s.key=t;let e=s.time,n=s.range,r=$s(n);if((t!=k||2==i&&!e)&&(r&&(null==n[0]||null==n[1])&&(n={min:null==n[0]?Dt:{mode:1,hard:n[0],soft:n[0]},max:null==n[1]?Dt:{mode:1,hard:n[1],soft:n[1]}},r=!1),!r&&_s(n))){let e=n;n=(t,s,a)=>null==s?ws:Pt(s,a,e)}s.range=as(n||(e?Mi:t==k?3==s.distr?Di:4==s.distr?Ni:Ei:3==s.distr?Ai:4==s.distr?Li:Ci)),s.auto=as(!r&&s.auto),s.clamp=as(s.clamp||Ha),s._min=s._max=null,s.valToPct=z(s)}}}T("x"),T("y"),1==i&&y.forEach(e=>{T(e.scale)}),b.forEach(e=>{T(e.scale)});for(let t in e.scales)T(t);let S,E,M=w[k],C=M.distr;0==M.ori?(dt(d,"u-hz"),S=n,E=r):(dt(d,"u-vt"),S=r,E=n);let A={};for(let e in w){let t=w[e];(null!=t.min||null!=t.max)&&(A[e]={min:t.min,max:t.max},t.min=t.max=null)}let D=e.tzDate||(e=>new Date(Gt(e/v))),L=e.fmtDate||js,N=1==v?la(D):ha(D),P=ua(D,ca(1==v?ra:da,L)),O=ga(D,ma("{YYYY}-{MM}-{DD} {h}:{mm}{aa}",L)),U=[],I=a.legend=Ms({},fa,e.legend),R=a.cursor=Ms({},wa,{drag:{y:2==i}},e.cursor),j=I.show,W=R.show,q=I.markers;I.idxs=U,q.width=as(q.width),q.dash=as(q.dash),q.stroke=as(q.stroke),q.fill=as(q.fill);let F,G,Y,H,B=[],K=[],V=!1,J={};if(I.live){let e=y[1]?y[1].values:null;V=null!=e,H=V?e(a,1,0):{_:0};for(let e in H)J[e]=it}if(j)if(F=ut("table","u-legend",d),Y=ut("tbody",null,F),I.mount(a,F),V){G=ut("thead",null,F,Y);let e=ut("tr",null,G);for(var Z in ut("th",null,e),H)ut("th",qe,e).textContent=Z}else dt(F,"u-inline"),I.live&&dt(F,"u-live");let X={show:!0},Q={show:!1},ee=new Map;function te(e,t,s,i=!0){let n=ee.get(t)||{},r=R.bind[e](a,t,s,i);r&&(kt(e,t,n[e]=r),ee.set(t,n))}function se(e,t,s){let a=ee.get(t)||{};for(let s in a)(null==e||s==e)&&(xt(s,t,a[s]),delete a[s]);null==e&&ee.delete(t)}let ae=0,ie=0,ne=0,re=0,le=0,oe=0,de=le,he=oe,ce=ne,ue=re,pe=0,me=0,ge=0,fe=0;a.bbox={};let ve=!1,ye=!1,be=!1,we=!1,$e=!1,ke=!1;function xe(e,t,s){(s||e!=a.width||t!=a.height)&&_e(e,t),Ps(!1),be=!0,ye=!0,Ws()}function _e(e,t){a.width=ae=ne=e,a.height=ie=re=t,le=oe=0,(()=>{let e=!1,t=!1,s=!1,a=!1;b.forEach((i,n)=>{if(i.show&&i._show){let{side:n,_size:r}=i,l=n%2,o=r+(null!=i.label?i.labelSize:0);o>0&&(l?(ne-=o,3==n?(le+=o,a=!0):s=!0):(re-=o,0==n?(oe+=o,e=!0):t=!0))}}),Oe[0]=e,Oe[1]=s,Oe[2]=t,Oe[3]=a,ne-=Lt[1]+Lt[3],le+=Lt[3],re-=Lt[2]+Lt[0],oe+=Lt[0]})(),(()=>{let e=le+ne,t=oe+re,s=le,a=oe;function i(i,n){switch(i){case 1:return e+=n,e-n;case 2:return t+=n,t-n;case 3:return s-=n,s+n;case 0:return a-=n,a+n}}b.forEach((e,t)=>{if(e.show&&e._show){let t=e.side;e._pos=i(t,e._size),null!=e.label&&(e._lpos=i(t,e.labelSize))}})})();let s=a.bbox;pe=s.left=cs(le*Re,.5),me=s.top=cs(oe*Re,.5),ge=s.width=cs(ne*Re,.5),fe=s.height=cs(re*Re,.5)}let ze=3;if(a.setSize=({width:e,height:t})=>{xe(e,t)},null==R.dataIdx){let e=R.hover,s=e.skip=new Set(e.skip??[]);s.add(void 0);let a=e.prox=as(e.prox),i=e.bias??=0;R.dataIdx=(e,n,r,l)=>{if(0==n)return r;let o=r,d=a(e,n,r,l)??Qt,h=d>=0&&d<Qt,c=0==M.ori?ne:re,u=R.left,p=t[0],m=t[n];if(s.has(m[r])){o=null;let e,t=null,a=null;if(0==i||-1==i)for(e=r;null==t&&e-- >0;)s.has(m[e])||(t=e);if(0==i||1==i)for(e=r;null==a&&e++<m.length;)s.has(m[e])||(a=e);if(null!=t||null!=a)if(h){let e=u-(null==t?-1/0:S(p[t],M,c,0)),s=(null==a?1/0:S(p[a],M,c,0))-u;e<=s?e<=d&&(o=t):s<=d&&(o=a)}else o=null==a?t:null==t?a:r-t<=a-r?t:a}else h&&qt(u-S(p[r],M,c,0))>d&&(o=null);return o}}let Te=e=>{R.event=e};R.idxs=U,R._lock=!1;let Se=R.points;Se.show=as(Se.show),Se.size=as(Se.size),Se.stroke=as(Se.stroke),Se.width=as(Se.width),Se.fill=as(Se.fill);let Ee=a.focus=Ms({},e.focus||{alpha:.3},R.focus),Me=Ee.prox>=0,Ce=Me&&Se.one,Ae=[],De=[],Le=[];function Ne(e,t){let s=Se.show(a,t);if(s instanceof HTMLElement)return dt(s,"u-cursor-pt"),dt(s,e.class),gt(s,-10,-10,ne,re),m.insertBefore(s,Ae[t]),s}function Pe(e,t){if(1==i||t>0){let t=1==i&&w[e.scale].time,s=e.value;e.value=t?xs(s)?ga(D,ma(s,L)):s||O:s||ja,e.label=e.label||(t?"Time":"Value")}if(Ce||t>0){e.width=null==e.width?1:e.width,e.paths=e.paths||_i||rs,e.fillTo=as(e.fillTo||Qa),e.pxAlign=+Ot(e.pxAlign,g),e.pxRound=ai(e.pxAlign),e.stroke=as(e.stroke||null),e.fill=as(e.fill||null),e._stroke=e._fill=e._paths=e._focus=null;let t=(e=>ms(1*(3+2*(e||1)),3))(Bt(1,e.width)),s=e.points=Ms({},{size:t,width:Bt(1,.2*t),stroke:e.stroke,space:2*t,paths:zi,_stroke:null,_fill:null},e.points);s.show=as(s.show),s.filter=as(s.filter),s.fill=as(s.fill),s.stroke=as(s.stroke),s.paths=as(s.paths),s.pxAlign=e.pxAlign}if(j){let s=((e,t)=>{if(0==t&&(V||!I.live||2==i))return ws;let s=[],n=ut("tr","u-series",Y,Y.childNodes[t]);dt(n,e.class),e.show||dt(n,We);let r=ut("th",null,n);if(q.show){let e=pt("u-marker",r);if(t>0){let s=q.width(a,t);s&&(e.style.border=s+"px "+q.dash(a,t)+" "+q.stroke(a,t)),e.style.background=q.fill(a,t)}}let l=pt(qe,r);for(var o in e.label instanceof HTMLElement?l.appendChild(e.label):l.textContent=e.label,t>0&&(q.show||(l.style.color=e.width>0?q.stroke(a,t):q.fill(a,t)),te("click",r,t=>{if(R._lock)return;Te(t);let s=y.indexOf(e);if((t.ctrlKey||t.metaKey)!=I.isolate){let e=y.some((e,t)=>t>0&&t!=s&&e.show);y.forEach((t,a)=>{a>0&&_a(a,e?a==s?X:Q:X,!0,bi.setSeries)})}else _a(s,{show:!e.show},!0,bi.setSeries)},!1),Me&&te(Qe,r,t=>{R._lock||(Te(t),_a(y.indexOf(e),Na,!0,bi.setSeries))},!1)),H){let e=ut("td","u-value",n);e.textContent="--",s.push(e)}return[n,s]})(e,t);B.splice(t,0,s[0]),K.splice(t,0,s[1]),I.values.push(null)}if(W){U.splice(t,0,null);let s=null;Ce?0==t&&(s=Ne(e,t)):t>0&&(s=Ne(e,t)),Ae.splice(t,0,s),De.splice(t,0,0),Le.splice(t,0,0)}vi("addSeries",t)}a.addSeries=(e,t)=>{t=t??y.length,e=1==i?Si(e,t,Ea,Ya):Si(e,t,{},Ga),y.splice(t,0,e),Pe(y[t],t)},a.delSeries=e=>{if(y.splice(e,1),j){I.values.splice(e,1),K.splice(e,1);let t=B.splice(e,1)[0];se(null,t.firstChild),t.remove()}W&&(U.splice(e,1),Ae.splice(e,1)[0].remove(),De.splice(e,1),Le.splice(e,1)),vi("delSeries",e)};let Oe=[!1,!1,!1,!1];function Ue(e,t,s,a){let[i,n,r,l]=s,o=t%2,d=0;return 0==o&&(l||n)&&(d=0==t&&!i||2==t&&!r?Gt(Sa.size/3):0),1==o&&(i||r)&&(d=1==t&&!n||3==t&&!l?Gt(Wa.size/2):0),d}let Ie,je,Ke,st,nt,ot,mt,ft,yt,wt,$t,zt=a.padding=(e.padding||[Ue,Ue,Ue,Ue]).map(e=>as(Ot(e,Ue))),Lt=a._padding=zt.map((e,t)=>e(a,t,Oe,0)),Nt=null,Ut=null,It=1==i?y[0].idxs:null,Rt=null,Ft=!1;function Vt(e,s){if(t=e??[],a.data=a._data=t,2==i){Ie=0;for(let e=1;e<y.length;e++)Ie+=t[e][0].length}else{0==t.length&&(a.data=a._data=t=[[]]),Rt=t[0],Ie=Rt.length;let e=t;if(2==C){e=t.slice();let s=e[0]=Array(Ie);for(let e=0;e<Ie;e++)s[e]=e}a._data=t=e}if(Ps(!0),vi("setData"),2==C&&(be=!0),!1!==s){let e=M;e.auto(a,Ft)?Zt():xa(k,e.min,e.max),we=we||R.left>=0,ke=!0,Ws()}}function Zt(){let e,s;Ft=!0,1==i&&(Ie>0?(Nt=It[0]=0,Ut=It[1]=Ie-1,e=t[0][Nt],s=t[0][Ut],2==C?(e=Nt,s=Ut):e==s&&(3==C?[e,s]=Ct(e,e,M.log,!1):4==C?[e,s]=At(e,e,M.log,!1):M.time?s=e+Gt(86400/v):[e,s]=Pt(e,s,.1,!0))):(Nt=It[0]=e=null,Ut=It[1]=s=null)),xa(k,e,s)}function is(e,t,s,a,i,n){e??=Ve,s??=bs,a??="butt",i??=Ve,n??="round",e!=je&&(c.strokeStyle=je=e),i!=Ke&&(c.fillStyle=Ke=i),t!=st&&(c.lineWidth=st=t),n!=ot&&(c.lineJoin=ot=n),a!=mt&&(c.lineCap=mt=a),s!=nt&&c.setLineDash(nt=s)}function ds(e,t,s,a){t!=Ke&&(c.fillStyle=Ke=t),e!=ft&&(c.font=ft=e),s!=yt&&(c.textAlign=yt=s),a!=wt&&(c.textBaseline=wt=a)}function hs(e,t,s,i,n=0){if(i.length>0&&e.auto(a,Ft)&&(null==t||null==t.min)){let t=Ot(Nt,0),a=Ot(Ut,i.length-1),r=null==s.min?((e,t,s,a=0,i=!1)=>{let n=i?Mt:Et,r=i?St:Tt;[t,s]=n(e,t,s);let l=e[t],o=e[t];if(t>-1)if(1==a)l=e[t],o=e[s];else if(-1==a)l=e[s],o=e[t];else for(let a=t;a<=s;a++){let t=e[a];r(t)&&(t<l?l=t:t>o&&(o=t))}return[l??Qt,o??-Qt]})(i,t,a,n,3==e.distr):[s.min,s.max];e.min=Ht(e.min,s.min=r[0]),e.max=Bt(e.max,s.max=r[1])}}a.setData=Vt;let us={min:null,max:null};function ps(e,t){let s=t?y[e].points:y[e];s._stroke=s.stroke(a,e),s._fill=s.fill(a,e)}function vs(e,s){let i=s?y[e].points:y[e],{stroke:n,fill:r,clip:l,flags:o,_stroke:d=i._stroke,_fill:h=i._fill,_width:u=i.width}=i._paths;u=ms(u*Re,3);let p=null,m=u%2/2;s&&null==h&&(h=u>0?"#fff":d);let g=1==i.pxAlign&&m>0;if(g&&c.translate(m,m),!s){let e=pe-u/2,t=me-u/2,s=ge+u,a=fe+u;p=new Path2D,p.rect(e,t,s,a)}s?Ts(d,u,i.dash,i.cap,h,n,r,o,l):((e,s,i,n,r,l,o,d,h,c,u)=>{let p=!1;0!=h&&$.forEach((m,g)=>{if(m.series[0]==e){let e=y[m.series[1]],f=t[m.series[1]],v=(e._paths||ys).band;$s(v)&&(v=1==m.dir?v[0]:v[1]);let b,w=null;e.show&&v&&((e,t,s)=>{for(t=Ot(t,0),s=Ot(s,e.length-1);t<=s;){if(null!=e[t])return!0;t++}return!1})(f,Nt,Ut)?(w=m.fill(a,g)||l,b=e._paths.clip):v=null,Ts(s,i,n,r,w,o,d,h,c,u,b,v),p=!0}}),p||Ts(s,i,n,r,l,o,d,h,c,u)})(e,d,u,i.dash,i.cap,h,n,r,o,p,l),g&&c.translate(-m,-m)}let ks=3;function Ts(e,t,s,a,i,n,r,l,o,d,h,u){is(e,t,s,a,i),(o||d||u)&&(c.save(),o&&c.clip(o),d&&c.clip(d)),u?(l&ks)==ks?(c.clip(u),h&&c.clip(h),Cs(i,r),Ss(e,n,t)):2&l?(Cs(i,r),c.clip(u),Ss(e,n,t)):1&l&&(c.save(),c.clip(u),h&&c.clip(h),Cs(i,r),c.restore(),Ss(e,n,t)):(Cs(i,r),Ss(e,n,t)),(o||d||u)&&c.restore()}function Ss(e,t,s){s>0&&(t instanceof Map?t.forEach((e,t)=>{c.strokeStyle=je=t,c.stroke(e)}):null!=t&&e&&c.stroke(t))}function Cs(e,t){t instanceof Map?t.forEach((e,t)=>{c.fillStyle=Ke=t,c.fill(e)}):null!=t&&e&&c.fill(t)}function Ds(e,t,s,a,i,n,r,l,o,d){let h=r%2/2;1==g&&c.translate(h,h),is(l,r,o,d,l),c.beginPath();let u,p,m,f,v=i+(0==a||3==a?-n:n);0==s?(p=i,f=v):(u=i,m=v);for(let a=0;a<e.length;a++)null!=t[a]&&(0==s?u=m=e[a]:p=f=e[a],c.moveTo(u,p),c.lineTo(m,f));c.stroke(),1==g&&c.translate(-h,-h)}function Ls(e){let t=!0;return b.forEach((s,i)=>{if(!s.show)return;let n=w[s.scale];if(null==n.min)return void(s._show&&(t=!1,s._show=!1,Ps(!1)));s._show||(t=!1,s._show=!0,Ps(!1));let r=s.side,l=r%2,{min:o,max:d}=n,[h,c]=((e,t,s,i)=>{let n,r=b[e];if(i<=0)n=[0,0];else{let l=r._space=r.space(a,e,t,s,i);n=((e,t,s,a,i)=>{let n=Bt(es(e),es(t)),r=t-e,l=_t(i/a*r,s);do{let e=s[l],t=a*e/r;if(t>=i&&n+(e<5?gs.get(e):0)<=17)return[e,t]}while(++l<s.length);return[0,0]})(t,s,r._incrs=r.incrs(a,e,t,s,i,l),i,l)}return r._found=n})(i,o,d,0==l?ne:re);if(0==c)return;let u=2==n.distr,p=s._splits=s.splits(a,i,o,d,h,c,u),m=2==n.distr?p.map(e=>Rt[e]):p,g=2==n.distr?Rt[p[1]]-Rt[p[0]]:h,f=s._values=s.values(a,s.filter(a,m,i,c,g),i,c,g);s._rotate=2==r?s.rotate(a,f,i,c):0;let v=s._size;s._size=Yt(s.size(a,f,i,e)),null!=v&&s._size!=v&&(t=!1)}),t}function Ns(e){let t=!0;return zt.forEach((s,i)=>{let n=s(a,i,Oe,e);n!=Lt[i]&&(t=!1),Lt[i]=n}),t}function Ps(e){y.forEach((t,s)=>{s>0&&(t._paths=null,e&&(1==i?(t.min=null,t.max=null):t.facets.forEach(e=>{e.min=null,e.max=null})))})}let Os=!1,Us=!1,Is=[];function Rs(){Us=!1;for(let e=0;e<Is.length;e++)vi(...Is[e]);Is.length=0}function Ws(){Os||(As(qs),Os=!0)}function qs(){if(ve&&((()=>{for(let e in w){let t=w[e];null==A[e]&&(null==t.min||null!=A[k]&&t.auto(a,Ft))&&(A[e]=us)}for(let e in w){let t=w[e];null==A[e]&&null!=t.from&&null!=A[t.from]&&(A[e]=us)}null!=A[k]&&Ps(!0);let e={};for(let t in A){let s=A[t];if(null!=s){let n=e[t]=Es(w[t],zs);if(null!=s.min)Ms(n,s);else if(t!=k||2==i)if(0==Ie&&null==n.from){let e=n.range(a,null,null,t);n.min=e[0],n.max=e[1]}else n.min=Qt,n.max=-Qt}}if(Ie>0){y.forEach((s,n)=>{if(1==i){let i=s.scale,r=A[i];if(null==r)return;let l=e[i];if(0==n){let e=l.range(a,l.min,l.max,i);l.min=e[0],l.max=e[1],Nt=_t(l.min,t[0]),Ut=_t(l.max,t[0]),Ut-Nt>1&&(t[0][Nt]<l.min&&Nt++,t[0][Ut]>l.max&&Ut--),s.min=Rt[Nt],s.max=Rt[Ut]}else s.show&&s.auto&&hs(l,r,s,t[n],s.sorted);s.idxs[0]=Nt,s.idxs[1]=Ut}else if(n>0&&s.show&&s.auto){let[a,i]=s.facets,r=a.scale,l=i.scale,[o,d]=t[n],h=e[r],c=e[l];null!=h&&hs(h,A[r],a,o,a.sorted),null!=c&&hs(c,A[l],i,d,i.sorted),s.min=i.min,s.max=i.max}});for(let t in e){let s=e[t],i=A[t];if(null==s.from&&(null==i||null==i.min)){let e=s.range(a,s.min==Qt?null:s.min,s.max==-Qt?null:s.max,t);s.min=e[0],s.max=e[1]}}}for(let t in e){let s=e[t];if(null!=s.from){let i=e[s.from];if(null==i.min)s.min=s.max=null;else{let e=s.range(a,i.min,i.max,t);s.min=e[0],s.max=e[1]}}}let s={},n=!1;for(let t in e){let a=e[t],i=w[t];if(i.min!=a.min||i.max!=a.max){i.min=a.min,i.max=a.max;let e=i.distr;i._min=3==e?Jt(i.min):4==e?Xt(i.min,i.asinh):100==e?i.fwd(i.min):i.min,i._max=3==e?Jt(i.max):4==e?Xt(i.max,i.asinh):100==e?i.fwd(i.max):i.max,s[t]=n=!0}}if(n){y.forEach((e,t)=>{2==i?t>0&&s.y&&(e._paths=null):s[e.scale]&&(e._paths=null)});for(let e in s)be=!0,vi("setScale",e);W&&R.left>=0&&(we=ke=!0)}for(let e in A)A[e]=null})(),ve=!1),be&&((()=>{let e=!1,t=0;for(;!e;){t++;let s=Ls(t),i=Ns(t);e=t==ze||s&&i,e||(_e(a.width,a.height),ye=!0)}})(),be=!1),ye){if(ct(p,He,le),ct(p,"top",oe),ct(p,Fe,ne),ct(p,Ge,re),ct(m,He,le),ct(m,"top",oe),ct(m,Fe,ne),ct(m,Ge,re),ct(u,Fe,ae),ct(u,Ge,ie),h.width=Gt(ae*Re),h.height=Gt(ie*Re),b.forEach(({_el:e,_show:t,_size:s,_pos:a,side:i})=>{if(null!=e)if(t){let t=i%2==1;ct(e,t?"left":"top",a-(3===i||0===i?s:0)),ct(e,t?"width":"height",s),ct(e,t?"top":"left",t?oe:le),ct(e,t?"height":"width",t?re:ne),ht(e,We)}else dt(e,We)}),je=Ke=st=ot=mt=ft=yt=wt=nt=null,$t=1,ti(!0),le!=de||oe!=he||ne!=ce||re!=ue){Ps(!1);let e=ne/ce,t=re/ue;if(W&&!we&&R.left>=0){R.left*=e,R.top*=t,Ks&&gt(Ks,Gt(R.left),0,ne,re),Vs&&gt(Vs,0,Gt(R.top),ne,re);for(let s=0;s<Ae.length;s++){let a=Ae[s];null!=a&&(De[s]*=e,Le[s]*=t,gt(a,Yt(De[s]),Yt(Le[s]),ne,re))}}if(ba.show&&!$e&&ba.left>=0&&ba.width>0){ba.left*=e,ba.width*=e,ba.top*=t,ba.height*=t;for(let e in di)ct($a,e,ba[e])}de=le,he=oe,ce=ne,ue=re}vi("setSize"),ye=!1}ae>0&&ie>0&&(c.clearRect(0,0,h.width,h.height),vi("drawClear"),_.forEach(e=>e()),vi("draw")),ba.show&&$e&&(ka(ba),$e=!1),W&&we&&(Xa(null,!0,!1),we=!1),I.show&&I.live&&ke&&(Va(),ke=!1),o||(o=!0,a.status=1,vi("ready")),Ft=!1,Os=!1}function Fs(e,s){let i=w[e];if(null==i.from){if(0==Ie){let t=i.range(a,s.min,s.max,e);s.min=t[0],s.max=t[1]}if(s.min>s.max){let e=s.min;s.min=s.max,s.max=e}if(Ie>1&&null!=s.min&&null!=s.max&&s.max-s.min<1e-16)return;e==k&&2==i.distr&&Ie>0&&(s.min=_t(s.min,t[0]),s.max=_t(s.max,t[0]),s.min==s.max&&s.max++),A[e]=s,ve=!0,Ws()}}a.batch=(e,t=!1)=>{Os=!0,Us=t,e(a),qs(),t&&Is.length>0&&queueMicrotask(Rs)},a.redraw=(e,t)=>{be=t||!1,!1!==e?xa(k,M.min,M.max):Ws()},a.setScale=Fs;let Gs,Ys,Ks,Vs,Js,Zs,Xs,Qs,ea,ta,sa,aa,ia=!1,pa=R.drag,va=pa.x,ya=pa.y;W&&(R.x&&(Gs=pt("u-cursor-x",m)),R.y&&(Ys=pt("u-cursor-y",m)),0==M.ori?(Ks=Gs,Vs=Ys):(Ks=Ys,Vs=Gs),sa=R.left,aa=R.top);let ba=a.select=Ms({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),$a=ba.show?pt("u-select",ba.over?m:p):null;function ka(e,t){if(ba.show){for(let t in e)ba[t]=e[t],t in di&&ct($a,t,e[t]);!1!==t&&vi("setSelect")}}function xa(e,t,s){Fs(e,{min:t,max:s})}function _a(e,t,s,n){null!=t.focus&&(e=>{if(e!=La){let t=null==e,s=1!=Ee.alpha;y.forEach((a,n)=>{if(1==i||n>0){let i=t||0==n||n==e;a._focus=t?null:i,s&&((e,t)=>{y[e].alpha=t,W&&null!=Ae[e]&&(Ae[e].style.opacity=t),j&&B[e]&&(B[e].style.opacity=t)})(n,i?1:Ee.alpha)}}),La=e,s&&Ws()}})(e),null!=t.show&&y.forEach((s,a)=>{a>0&&(e==a||null==e)&&(s.show=t.show,(e=>{if(y[e].show)j&&ht(B[e],We);else if(j&&dt(B[e],We),W){let t=Ce?Ae[0]:Ae[e];null!=t&&gt(t,-10,-10,ne,re)}})(a),2==i?(xa(s.facets[0].scale,null,null),xa(s.facets[1].scale,null,null)):xa(s.scale,null,null),Ws())}),!1!==s&&vi("setSeries",e,t),n&&xi("setSeries",a,e,t)}a.setSelect=ka,a.setSeries=_a,a.addBand=(e,t)=>{e.fill=as(e.fill||null),e.dir=Ot(e.dir,-1),t=t??$.length,$.splice(t,0,e)},a.setBand=(e,t)=>{Ms($[e],t)},a.delBand=e=>{null==e?$.length=0:$.splice(e,1)};let za,Ta,La,Na={focus:!0};function Pa(e,t,s){let a=w[t];s&&(e=e/Re-(1==a.ori?oe:le));let i=ne;1==a.ori&&(i=re,e=i-e),-1==a.dir&&(e=i-e);let n=a._min,r=n+(a._max-n)*(e/i),l=a.distr;return 3==l?Kt(10,r):4==l?((e,t=1)=>jt.sinh(e)*t)(r,a.asinh):100==l?a.bwd(r):r}function Oa(e,t){ct($a,He,ba.left=e),ct($a,Fe,ba.width=t)}function Ua(e,t){ct($a,"top",ba.top=e),ct($a,Ge,ba.height=t)}j&&Me&&te(et,F,e=>{R._lock||(Te(e),null!=La&&_a(null,Na,!0,bi.setSeries))}),a.valToIdx=e=>_t(e,t[0]),a.posToIdx=(e,s)=>_t(Pa(e,k,s),t[0],Nt,Ut),a.posToVal=Pa,a.valToPos=(e,t,s)=>0==w[t].ori?n(e,w[t],s?ge:ne,s?pe:0):r(e,w[t],s?fe:re,s?me:0),a.setCursor=(e,t,s)=>{sa=e.left,aa=e.top,Xa(null,t,s)};let qa=0==M.ori?Oa:Ua,Fa=1==M.ori?Oa:Ua;function Va(e,t){if(null!=e&&(e.idxs?e.idxs.forEach((e,t)=>{U[t]=e}):(e=>void 0===e)(e.idx)||U.fill(e.idx),I.idx=U[0]),j&&I.live){for(let e=0;e<y.length;e++)(e>0||1==i&&!V)&&Za(e,U[e]);(()=>{if(j&&I.live)for(let e=2==i?1:0;e<y.length;e++){if(0==e&&V)continue;let t=I.values[e],s=0;for(let a in t)K[e][s++].firstChild.nodeValue=t[a]}})()}ke=!1,!1!==t&&vi("setLegend")}function Za(e,s){let i,n=y[e],r=0==e&&2==C?Rt:t[e];V?i=n.values(a,e,s)??J:(i=n.value(a,null==s?null:r[s],e,s),i=null==i?J:{_:i}),I.values[e]=i}function Xa(e,s,n){ea=sa,ta=aa,[sa,aa]=R.move(a,sa,aa),R.left=sa,R.top=aa,W&&(Ks&&gt(Ks,Gt(sa),0,ne,re),Vs&&gt(Vs,0,Gt(aa),ne,re));let r,l=Nt>Ut;za=Qt,Ta=null;let o=0==M.ori?ne:re,d=1==M.ori?ne:re;if(sa<0||0==Ie||l){r=R.idx=null;for(let e=0;e<y.length;e++){let t=Ae[e];null!=t&&gt(t,-10,-10,ne,re)}Me&&_a(null,Na,!0,null==e&&bi.setSeries),I.live&&(U.fill(r),ke=!0)}else{let e,s,n;1==i&&(e=0==M.ori?sa:aa,s=Pa(e,k),r=R.idx=_t(s,t[0],Nt,Ut),n=S(t[0][r],M,o,0));let l=-10,h=-10,c=0,u=0,p=!0,m="",g="";for(let e=2==i?1:0;e<y.length;e++){let f=y[e],v=U[e],b=null==v?null:1==i?t[e][v]:t[e][1][v],$=R.dataIdx(a,e,r,s),k=null==$?null:1==i?t[e][$]:t[e][1][$];if(ke=ke||k!=b||$!=v,U[e]=$,e>0&&f.show){let s=null==$?-10:$==r?n:S(1==i?t[0][$]:t[e][0][$],M,o,0),v=null==k?-10:E(k,1==i?w[f.scale]:w[f.facets[1].scale],d,0);if(Me&&null!=k){let t=1==M.ori?sa:aa,s=qt(Ee.dist(a,e,$,v,t));if(s<za){let a=Ee.bias;if(0!=a){let i=Pa(t,f.scale),n=i>=0?1:-1;n==(k>=0?1:-1)&&(1==n?1==a?k>=i:k<=i:1==a?k<=i:k>=i)&&(za=s,Ta=e)}else za=s,Ta=e}}if(ke||Ce){let t,i;0==M.ori?(t=s,i=v):(t=v,i=s);let n,r,o,d,f,y,b=!0,w=Se.bbox;if(null!=w){b=!1;let t=w(a,e);o=t.left,d=t.top,n=t.width,r=t.height}else o=t,d=i,n=r=Se.size(a,e);if(y=Se.fill(a,e),f=Se.stroke(a,e),Ce)e==Ta&&za<=Ee.prox&&(l=o,h=d,c=n,u=r,p=b,m=y,g=f);else{let t=Ae[e];null!=t&&(De[e]=o,Le[e]=d,bt(t,n,r,b),vt(t,y,f),gt(t,Yt(o),Yt(d),ne,re))}}}}if(Ce){let e=Ee.prox;if(ke||(null==La?za<=e:za>e||Ta!=La)){let e=Ae[0];null!=e&&(De[0]=l,Le[0]=h,bt(e,c,u,p),vt(e,m,g),gt(e,Yt(l),Yt(h),ne,re))}}}if(ba.show&&ia)if(null!=e){let[t,s]=bi.scales,[a,i]=bi.match,[n,r]=e.cursor.sync.scales,l=e.cursor.drag;if(va=l._x,ya=l._y,va||ya){let l,h,c,u,p,{left:m,top:g,width:f,height:v}=e.select,y=e.scales[n].ori,b=e.posToVal,$=null!=t&&a(t,n),k=null!=s&&i(s,r);$&&va?(0==y?(l=m,h=f):(l=g,h=v),c=w[t],u=S(b(l,n),c,o,0),p=S(b(l+h,n),c,o,0),qa(Ht(u,p),qt(p-u))):qa(0,o),k&&ya?(1==y?(l=m,h=f):(l=g,h=v),c=w[s],u=E(b(l,r),c,d,0),p=E(b(l+h,r),c,d,0),Fa(Ht(u,p),qt(p-u))):Fa(0,d)}else hi()}else{let e=qt(ea-Js),t=qt(ta-Zs);if(1==M.ori){let s=e;e=t,t=s}va=pa.x&&e>=pa.dist,ya=pa.y&&t>=pa.dist;let s,a,i=pa.uni;null!=i?va&&ya&&(va=e>=i,ya=t>=i,!va&&!ya&&(t>e?ya=!0:va=!0)):pa.x&&pa.y&&(va||ya)&&(va=ya=!0),va&&(0==M.ori?(s=Xs,a=sa):(s=Qs,a=aa),qa(Ht(s,a),qt(a-s)),ya||Fa(0,d)),ya&&(1==M.ori?(s=Xs,a=sa):(s=Qs,a=aa),Fa(Ht(s,a),qt(a-s)),va||qa(0,o)),!va&&!ya&&(qa(0,0),Fa(0,0))}if(pa._x=va,pa._y=ya,null==e){if(n){if(null!=wi){let[e,t]=bi.scales;bi.values[0]=null!=e?Pa(0==M.ori?sa:aa,e):null,bi.values[1]=null!=t?Pa(1==M.ori?sa:aa,t):null}xi(Je,a,sa,aa,ne,re,r)}if(Me){let e=n&&bi.setSeries,t=Ee.prox;null==La?za<=t&&_a(Ta,Na,!0,e):za>t?_a(null,Na,!0,e):Ta!=La&&_a(Ta,Na,!0,e)}}ke&&(I.idx=r,Va()),!1!==s&&vi("setCursor")}a.setLegend=Va;let ei=null;function ti(e=!1){e?ei=null:(ei=m.getBoundingClientRect(),vi("syncRect",ei))}function si(e,t,s,a,i,n,r){R._lock||ia&&null!=e&&0==e.movementX&&0==e.movementY||(ii(e,t,s,a,i,n,0,!1,null!=e),null!=e?Xa(null,!0,!0):Xa(t,!0,!1))}function ii(e,t,s,i,n,r,o,d,h){if(null==ei&&ti(!1),Te(e),null!=e)s=e.clientX-ei.left,i=e.clientY-ei.top;else{if(s<0||i<0)return sa=-10,void(aa=-10);let[e,a]=bi.scales,o=t.cursor.sync,[d,h]=o.values,[c,u]=o.scales,[p,m]=bi.match,g=t.axes[0].side%2==1,f=0==M.ori?ne:re,v=1==M.ori?ne:re,y=g?r:n,b=g?n:r,$=g?i:s,k=g?s:i;if(s=null!=c?p(e,c)?l(d,w[e],f,0):-10:f*($/y),i=null!=u?m(a,u)?l(h,w[a],v,0):-10:v*(k/b),1==M.ori){let e=s;s=i,i=e}}h&&(null==t||t.cursor.event.type==Je)&&((s<=1||s>=ne-1)&&(s=cs(s,ne)),(i<=1||i>=re-1)&&(i=cs(i,re))),d?(Js=s,Zs=i,[Xs,Qs]=R.move(a,s,i)):(sa=s,aa=i)}Object.defineProperty(a,"rect",{get:()=>(null==ei&&ti(!1),ei)});let ni,ri,li,oi,di={width:0,height:0,left:0,top:0};function hi(){ka(di,!1)}function ci(e,t,s,i,n,r,l){ia=!0,va=ya=pa._x=pa._y=!1,ii(e,t,s,i,n,r,0,!0,!1),null!=e&&(te(Xe,rt,ui,!1),xi(Ze,a,Xs,Qs,ne,re,null));let{left:o,top:d,width:h,height:c}=ba;ni=o,ri=d,li=h,oi=c}function ui(e,t,s,i,n,r,l){ia=pa._x=pa._y=!1,ii(e,t,s,i,n,r,0,!1,!0);let{left:o,top:d,width:h,height:c}=ba,u=h>0||c>0,p=ni!=o||ri!=d||li!=h||oi!=c;if(u&&p&&ka(ba),pa.setScale&&u&&p){let e=o,t=h,s=d,a=c;if(1==M.ori&&(e=d,t=c,s=o,a=h),va&&xa(k,Pa(e,k),Pa(e+t,k)),ya)for(let e in w){let t=w[e];e!=k&&null==t.from&&t.min!=Qt&&xa(e,Pa(s+a,e),Pa(s,e))}hi()}else R.lock&&(R._lock=!R._lock,Xa(t,!0,null!=e));null!=e&&(se(Xe,rt),xi(Xe,a,sa,aa,ne,re,null))}function pi(e,t,s,i,n,r,l){R._lock||(Te(e),Zt(),hi(),null!=e&&xi(tt,a,sa,aa,ne,re,null))}function mi(){b.forEach(Oi),xe(a.width,a.height,!0)}kt(at,lt,mi);let gi={};gi.mousedown=ci,gi.mousemove=si,gi.mouseup=ui,gi.dblclick=pi,gi.setSeries=(e,t,s,i)=>{-1!=(s=(0,bi.match[2])(a,t,s))&&_a(s,i,!0,!1)},W&&(te(Ze,m,ci),te(Je,m,si),te(Qe,m,e=>{Te(e),ti(!1)}),te(et,m,(e,t,s,a,i,n,r)=>{if(R._lock)return;Te(e);let l=ia;if(ia){let e,t,s=!0,a=!0,i=10;0==M.ori?(e=va,t=ya):(e=ya,t=va),e&&t&&(s=sa<=i||sa>=ne-i,a=aa<=i||aa>=re-i),e&&s&&(sa=sa<Xs?0:ne),t&&a&&(aa=aa<Qs?0:re),Xa(null,!0,!0),ia=!1}sa=-10,aa=-10,U.fill(null),Xa(null,!0,!0),l&&(ia=l)}),te(tt,m,pi),ki.add(a),a.syncRect=ti);let fi=a.hooks=e.hooks||{};function vi(e,t,s){Us?Is.push([e,t,s]):e in fi&&fi[e].forEach(e=>{e.call(null,a,t,s)})}(e.plugins||[]).forEach(e=>{for(let t in e.hooks)fi[t]=(fi[t]||[]).concat(e.hooks[t])});let yi=(e,t,s)=>s,bi=Ms({key:null,setSeries:!1,filters:{pub:ls,sub:ls},scales:[k,y[1]?y[1].scale:null],match:[os,os,yi],values:[null,null]},R.sync);2==bi.match.length&&bi.match.push(yi),R.sync=bi;let wi=bi.key,$i=Ja(wi);function xi(e,t,s,a,i,n,r){bi.filters.pub(e,t,s,a,i,n,r)&&$i.pub(e,t,s,a,i,n,r)}function Ui(){vi("init",e,t),Vt(t||e.data,!1),A[k]?Fs(k,A[k]):Zt(),$e=ba.show&&(ba.width>0||ba.height>0),we=ke=!0,xe(e.width,e.height)}return $i.sub(a),a.pub=(e,t,s,a,i,n,r)=>{bi.filters.sub(e,t,s,a,i,n,r)&&gi[e](null,t,s,a,i,n,r)},a.destroy=()=>{$i.unsub(a),ki.delete(a),ee.clear(),xt(at,lt,mi),d.remove(),F?.remove(),vi("destroy")},y.forEach(Pe),b.forEach((e,t)=>{if(e._show=e.show,e.show){let s=e.side%2,i=w[e.scale];null==i&&(e.scale=s?y[1].scale:k,i=w[e.scale]);let n=i.time;e.size=as(e.size),e.space=as(e.space),e.rotate=as(e.rotate),$s(e.incrs)&&e.incrs.forEach(e=>{!gs.has(e)&&gs.set(e,fs(e))}),e.incrs=as(e.incrs||(2==i.distr?Hs:n?1==v?na:oa:Bs)),e.splits=as(e.splits||(n&&1==i.distr?N:3==i.distr?Aa:4==i.distr?Da:Ca)),e.stroke=as(e.stroke),e.grid.stroke=as(e.grid.stroke),e.ticks.stroke=as(e.ticks.stroke),e.border.stroke=as(e.border.stroke);let r=e.values;e.values=$s(r)&&!$s(r[0])?as(r):n?$s(r)?ua(D,ca(r,L)):xs(r)?((e,t)=>{let s=js(t);return(t,a,i,n,r)=>a.map(t=>s(e(t)))})(D,r):r||P:r||Ma,e.filter=as(e.filter||(i.distr>=3&&10==i.log?Ia:3==i.distr&&2==i.log?Ra:ns)),e.font=Pi(e.font),e.labelFont=Pi(e.labelFont),e._size=e.size(a,null,t,0),e._space=e._rotate=e._incrs=e._found=e._splits=e._values=null,e._size>0&&(Oe[t]=!0,e._el=pt("u-axis",u))}}),s?s instanceof HTMLElement?(s.appendChild(d),Ui()):s(a,Ui):Ui(),a}Ui.assign=Ms,Ui.fmtNum=Rt,Ui.rangeNum=Pt,Ui.rangeLog=Ct,Ui.rangeAsinh=At,Ui.orient=Za,Ui.pxRatio=Re,Ui.join=(e,t)=>{if((e=>{let t=e[0][0],s=t.length;for(let a=1;a<e.length;a++){let i=e[a][0];if(i.length!=s)return!1;if(i!=t)for(let e=0;e<s;e++)if(i[e]!=t[e])return!1}return!0})(e)){let t=e[0].slice();for(let s=1;s<e.length;s++)t.push(...e[s].slice(1));return((e,t=100)=>{let s=e.length;if(s<=1)return!0;let a=0,i=s-1;for(;a<=i&&null==e[a];)a++;for(;i>=a&&null==e[i];)i--;if(i<=a)return!0;let n=Bt(1,Ft((i-a+1)/t));for(let t=e[a],s=a+n;s<=i;s+=n){let a=e[s];if(null!=a){if(a<=t)return!1;t=a}}return!0})(t[0])||(t=(e=>{let t=e[0],s=t.length,a=Array(s);for(let e=0;e<a.length;e++)a[e]=e;a.sort((e,s)=>t[e]-t[s]);let i=[];for(let t=0;t<e.length;t++){let n=e[t],r=Array(s);for(let e=0;e<s;e++)r[e]=n[a[e]];i.push(r)}return i})(t)),t}let s=new Set;for(let t=0;t<e.length;t++){let a=e[t][0],i=a.length;for(let e=0;e<i;e++)s.add(a[e])}let a=[Array.from(s).sort((e,t)=>e-t)],i=a[0].length,n=new Map;for(let e=0;e<i;e++)n.set(a[0][e],e);for(let s=0;s<e.length;s++){let r=e[s],l=r[0];for(let e=1;e<r.length;e++){let o=r[e],d=Array(i).fill(void 0),h=t?t[s][e]:1,c=[];for(let e=0;e<o.length;e++){let t=o[e],s=n.get(l[e]);null===t?0!=h&&(d[s]=t,2==h&&c.push(s)):d[s]=t}Cs(d,c,i),a.push(d)}}return a},Ui.fmtDate=js,Ui.tzDate=(e,t)=>{let s;return"UTC"==t||"Etc/UTC"==t?s=new Date(+e+6e4*e.getTimezoneOffset()):t==Ws?s=e:(s=new Date(e.toLocaleString("en-US",{timeZone:t})),s.setMilliseconds(e.getMilliseconds())),s},Ui.sync=Ja;{Ui.addGap=(e,t,s)=>{let a=e[e.length-1];a&&a[0]==t?a[1]=s:e.push([t,s])},Ui.clipGaps=ti;let e=Ui.paths={points:gi};e.linear=bi,e.stepped=e=>{let t=Ot(e.align,1),s=Ot(e.ascDesc,!1),a=Ot(e.alignGaps,0),i=Ot(e.extend,!1);return(e,n,r,l)=>Za(e,n,(o,d,h,c,u,p,m,g,f,v,y)=>{[r,l]=Et(h,r,l);let b=o.pxRound,{left:w,width:$}=e.bbox,k=e=>b(p(e,c,v,g)),x=e=>b(m(e,u,y,f)),_=0==c.ori?li:oi,z={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},T=z.stroke,S=c.dir*(0==c.ori?1:-1),E=x(h[1==S?r:l]),M=k(d[1==S?r:l]),C=M,A=M;i&&-1==t&&(A=w,_(T,A,E)),_(T,M,E);for(let e=1==S?r:l;e>=r&&e<=l;e+=S){let s=h[e];if(null==s)continue;let a=k(d[e]),i=x(s);1==t?_(T,a,E):_(T,C,i),_(T,a,i),E=i,C=a}let D=C;i&&1==t&&(D=w+$,_(T,D,E));let[L,N]=Xa(e,n);if(null!=o.fill||0!=L){let t=z.fill=new Path2D(T),s=x(o.fillTo(e,n,o.min,o.max,L));_(t,D,s),_(t,A,s)}if(!o.spanGaps){let i=[];i.push(...si(d,h,r,l,S,k,a));let u=o.width*Re/2,p=s||1==t?u:-u,m=s||-1==t?-u:u;i.forEach(e=>{e[0]+=p,e[1]+=m}),z.gaps=i=o.gaps(e,n,r,l,i),z.clip=ti(i,c.ori,g,f,v,y)}return 0!=N&&(z.band=2==N?[ei(e,n,r,l,T,-1),ei(e,n,r,l,T,1)]:ei(e,n,r,l,T,N)),z})},e.bars=e=>{let t=Ot((e=e||ys).size,[.6,Qt,1]),s=e.align||0,a=e.gap||0,i=e.radius;i=null==i?[0,0]:"number"==typeof i?[i,0]:i;let n=as(i),r=1-t[0],l=Ot(t[1],Qt),o=Ot(t[2],1),d=Ot(e.disp,ys),h=Ot(e.each,e=>{}),{fill:c,stroke:u}=d;return(e,t,i,p)=>Za(e,t,(m,g,f,v,y,b,w,$,k,x,_)=>{let z,T,S=m.pxRound,E=s,M=a*Re,C=l*Re,A=o*Re;0==v.ori?[z,T]=n(e,t):[T,z]=n(e,t);let D,L,N,P=v.dir*(0==v.ori?1:-1),O=0==v.ori?di:hi,U=0==v.ori?h:(e,t,s,a,i,n,r)=>{h(e,t,s,i,a,r,n)},I=Ot(e.bands,bs).find(e=>e.series[0]==t),R=null!=I?I.dir:0,j=m.fillTo(e,t,m.min,m.max,R),W=S(w(j,y,_,k)),q=x,F=S(m.width*Re),G=!1,Y=null,H=null,B=null,K=null;null!=c&&(0==F||null!=u)&&(G=!0,Y=c.values(e,t,i,p),H=new Map,new Set(Y).forEach(e=>{null!=e&&H.set(e,new Path2D)}),F>0&&(B=u.values(e,t,i,p),K=new Map,new Set(B).forEach(e=>{null!=e&&K.set(e,new Path2D)})));let{x0:V,size:J}=d;if(null!=V&&null!=J){E=1,g=V.values(e,t,i,p),2==V.unit&&(g=g.map(t=>e.posToVal($+t*x,v.key,!0)));let s=J.values(e,t,i,p);L=2==J.unit?s[0]*x:b(s[0],v,x,$)-b(0,v,x,$),q=wi(g,f,b,v,x,$,q),N=q-L+M}else q=wi(g,f,b,v,x,$,q),N=q*r+M,L=q-N;N<1&&(N=0),F>=L/2&&(F=0),N<5&&(S=is);let Z=N>0;L=S(ts(q-N-(Z?F:0),A,C)),D=(0==E?L/2:E==P?0:L)-E*P*((0==E?M/2:0)+(Z?F/2:0));let X={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Q=G?null:new Path2D,ee=null;if(null!=I)ee=e.data[I.series[1]];else{let{y0:s,y1:a}=d;null!=s&&null!=a&&(f=a.values(e,t,i,p),ee=s.values(e,t,i,p))}let te=z*L,se=T*L;for(let s=1==P?i:p;s>=i&&s<=p;s+=P){let a=f[s];if(null==a)continue;if(null!=ee){let e=ee[s]??0;if(a-e==0)continue;W=w(e,y,_,k)}let i=b(2!=v.distr||null!=d?g[s]:s,v,x,$),n=w(Ot(a,j),y,_,k),r=S(i-D),l=S(Bt(n,W)),o=S(Ht(n,W)),h=l-o;if(null!=a){let i=a<0?se:te,n=a<0?te:se;G?(F>0&&null!=B[s]&&O(K.get(B[s]),r,o+Ft(F/2),L,Bt(0,h-F),i,n),null!=Y[s]&&O(H.get(Y[s]),r,o+Ft(F/2),L,Bt(0,h-F),i,n)):O(Q,r,o+Ft(F/2),L,Bt(0,h-F),i,n),U(e,t,s,r-F/2,o,L+F,h)}}return F>0?X.stroke=G?K:Q:G||(X._fill=0==m.width?m._fill:m._stroke??m._fill,X.width=0),X.fill=G?H:Q,X})},e.spline=e=>((e,t)=>{let s=Ot(t?.alignGaps,0);return(t,a,i,n)=>Za(t,a,(r,l,o,d,h,c,u,p,m,g,f)=>{[i,n]=Et(o,i,n);let v,y,b,w=r.pxRound,$=e=>w(c(e,d,g,p)),k=e=>w(u(e,h,f,m));0==d.ori?(v=ni,b=li,y=pi):(v=ri,b=oi,y=mi);let x=d.dir*(0==d.ori?1:-1),_=$(l[1==x?i:n]),z=_,T=[],S=[];for(let e=1==x?i:n;e>=i&&e<=n;e+=x)if(null!=o[e]){let t=$(l[e]);T.push(z=t),S.push(k(o[e]))}let E={stroke:e(T,S,v,b,y,w),fill:null,clip:null,band:null,gaps:null,flags:1},M=E.stroke,[C,A]=Xa(t,a);if(null!=r.fill||0!=C){let e=E.fill=new Path2D(M),s=k(r.fillTo(t,a,r.min,r.max,C));b(e,z,s),b(e,_,s)}if(!r.spanGaps){let e=[];e.push(...si(l,o,i,n,x,$,s)),E.gaps=e=r.gaps(t,a,i,n,e),E.clip=ti(e,d.ori,p,m,g,f)}return 0!=A&&(E.band=2==A?[ei(t,a,i,n,M,-1),ei(t,a,i,n,M,1)]:ei(t,a,i,n,M,A)),E})})($i,e)}var Ii=["--aisha-accent","--aisha-good","--aisha-warn","--aisha-danger","--aisha-muted"],Ri=class extends o{constructor(){super(...arguments),this.caption="",this.labels=[],this.series=[],this.format=String,this.theme="",this.observer=new ResizeObserver(()=>this.fit())}disconnectedCallback(){super.disconnectedCallback(),this.observer.disconnect(),this.plot?.destroy(),this.plot=void 0}render(){return r`<div class="plot" aria-hidden="true"></div>
${this.series.length>1?r`<div class="legend" aria-hidden="true">
${this.series.map((e,t)=>r`<span><i class="c${t%Ii.length}"></i>${e.name}</span>`)}
</div>`:""}
<table class="hidden-text">
<caption>
${this.caption}
</caption>
<tr>
<td></td>
${this.series.map(e=>r`<th scope="col">${e.name}</th>`)}
</tr>
${this.labels.map((e,t)=>r`<tr>
<th scope="row">${e}</th>
${this.series.map(e=>r`<td>${this.format(e.values[t]??0)}</td>`)}
</tr>`)}
</table>`}updated(){this.draw()}get box(){return this.renderRoot.querySelector(".plot")}fit(){let e=this.box?.clientWidth??0;e&&this.plot&&this.plot.width!==e&&this.plot.setSize({width:e,height:220})}draw(){this.plot?.destroy();let e=getComputedStyle(this),t=t=>e.getPropertyValue(t).trim(),s={stroke:t("--aisha-muted"),grid:{stroke:t("--aisha-line"),width:1},ticks:{show:!1},font:"12px system-ui, sans-serif"},a=this.series.map((e,t)=>this.labels.map((e,s)=>this.series.slice(0,t+1).reduce((e,t)=>e+(t.values[s]??0),0))),i=this.series.map((e,t)=>t).toReversed(),n=Ui.paths.bars({size:[.6,48],radius:.15});this.plot=new Ui({width:this.box.clientWidth||320,height:220,legend:{show:!1},cursor:{show:!1},select:{show:!1,left:0,top:0,width:0,height:0},scales:{x:{time:!1,range:[-.6,this.labels.length-.4]},y:{range:(e,t,s)=>[0,s>0?1.08*s:1]}},axes:[{...s,size:26,grid:{show:!1},splits:()=>this.labels.map((e,t)=>t),values:e=>this.shortLabels(e.width)},{...s,size:64,values:(e,t)=>t.map(e=>this.format(e))}],series:[{},...i.map(e=>({label:this.series[e].name,fill:t(Ii[e%Ii.length]),stroke:t(Ii[e%Ii.length]),width:0,points:{show:!1},paths:n}))]},[this.labels.map((e,t)=>t),...i.map(e=>a[e])],this.box),this.observer.observe(this.box)}shortLabels(e){let t=Math.max(1,Math.floor((e-64)/Math.max(1,this.labels.length)/6.3)),s=Math.ceil(4/t);return this.labels.map((e,a)=>a%s?"":e.length>t*s?`${e.slice(0,Math.max(1,t*s-1))}…`:e)}};Ri.styles=[b,xe,n`.plot{block-size:220px}.uplot,.uplot *,.uplot *:before,.uplot *:after{box-sizing:border-box}.u-wrap{position:relative;user-select:none}.u-over,.u-under{position:absolute}.uplot canvas{display:block;position:relative;inline-size:100%;block-size:100%}.u-axis{position:absolute}.legend{display:flex;flex-wrap:wrap;gap:var(--aisha-3);margin-block-start:var(--aisha-2);color:var(--aisha-muted)}.legend i{display:inline-block;inline-size:10px;block-size:10px;border-radius:3px;margin-inline-end:6px}.c0{background:var(--aisha-accent)}.c1{background:var(--aisha-good)}.c2{background:var(--aisha-warn)}.c3{background:var(--aisha-danger)}.c4{background:var(--aisha-muted)}`],E([d()],Ri.prototype,"caption",2),E([d({attribute:!1})],Ri.prototype,"labels",2),E([d({attribute:!1})],Ri.prototype,"series",2),E([d({attribute:!1})],Ri.prototype,"format",2),E([d()],Ri.prototype,"theme",2),Ri=E([g("desk-chart")],Ri);var ji=class{constructor(e,t){this.host=e,this.ask=t,this.value=null,this.error="",this.attempt=0,e.addController(this)}hostConnected(){this.load()}async load(){let e=this.attempt+=1;this.error="";try{let t=await this.ask();e===this.attempt&&(this.value=t)}catch(t){e===this.attempt&&(this.error=oe(t))}this.host.requestUpdate()}show(e){return this.error?Se(this.error,()=>this.load()):null===this.value?Ee:e(this.value)}},Wi=class extends o{constructor(){super(...arguments),this.theme="",this.loader=new ji(this,()=>m(this.desk.api.rest.GET("/api/ai/analytics")))}render(){return this.loader.show(e=>this.summary(e))}summary(e){if(!e.totalCommands)return Te("No commands yet. Ask the assistant something.");let t=e.performanceMetrics,s=(e,t)=>r`<div class="card"><strong>${t}</strong><span class="muted">${e}</span></div>`,a=e=>null==e?"—":le(e),i=e.mostFrequentCommands;return r`<div class="figures">
${s("Commands",Q(e.totalCommands))} ${s("Succeeded",`${Q(e.successRate)}%`)}
${s("Whole command",a(t.avgTotalMs))} ${s("Model",a(t.avgLlmMs))}
${s("Speech to text",a(t.avgSttMs))} ${s("Text to speech",a(t.avgTtsMs))}
</div>
<div class="grid">
<section class="card">
<h2>Most frequent</h2>
<desk-chart
caption="Most frequent commands"
.labels=${i.map(e=>e.commandName)}
.series=${[{name:"Times",values:i.map(e=>e.count)}]}
.format=${Q}
theme=${this.theme}
></desk-chart>
</section>
<section class="card">
<h2>Latest failures</h2>
${e.recentFailures.length?r`<dl class="fields">
${e.recentFailures.map(e=>r`<dt>${e.commandName}<br />${ae(e.timestamp)}</dt>
<dd>${e.errorMessage}</dd>`)}
</dl>`:r`<p class="muted">None of the last ${Q(e.commandsRead)} commands failed.</p>`}
</section>
</div>
${e.truncated?r`<p class="muted">Older commands are left out.</p>`:l}`}};Wi.styles=[b,xe,n`.figures{display:grid;gap:var(--aisha-3);grid-template-columns:repeat(auto-fit,minmax(140px,1fr));margin-block-end:var(--aisha-4)}.figures strong{display:block;font-size:22px}`],E([d({attribute:!1})],Wi.prototype,"desk",2),E([d()],Wi.prototype,"theme",2),Wi=E([g("desk-analytics")],Wi);var qi=class extends o{constructor(){super(...arguments),this.isSaving=!1,this.loader=new ji(this,()=>m(this.desk.api.rest.GET("/api/ai/profile")))}render(){return this.loader.show(e=>this.form(e))}form(e){let t=e.admin;return r`<form @submit=${e=>this.save(e,t.version)}>
<label class="field">
Name
<input name="name" maxlength="60" .value=${e.assistantName} />
</label>
<label class="field">
Persona
<textarea name="persona" maxlength="3010" .value=${t.persona.join("\n")}></textarea>
<span class="muted">Up to ten lines on character and tone, such as “Warm, and never pushy”.</span>
</label>
<fieldset>
<legend>Your words for records</legend>
${he.map(t=>r`<label class="field"
>${t.one}
<input
name="label.${t.type}"
maxlength="60"
.value=${e.labels[t.type]??""}
placeholder=${t.one}
/>
</label>`)}
</fieldset>
<div class="row">
<button class="button primary" ?disabled=${this.isSaving}>Save</button>
<span class="muted">
Plan ${re(t.plan)}${t.provider?`, models of ${re(t.provider)} alone`:""};
${t.masksContacts?"addresses and numbers are masked for models":"contact data is not masked"}. The
operator sets these.
</span>
</div>
</form>`}async save(e,t){e.preventDefault();let s=new FormData(e.target),a=e=>String(s.get(e)??"").trim(),i=a("persona").split("\n").map(e=>e.trim()),n=he.map(e=>[e.type,a(`label.${e.type}`)]).filter(([,e])=>e);this.isSaving=!0;try{let e={assistantName:a("name"),persona:i.filter(Boolean),labels:Object.fromEntries(n),version:t};await this.desk.api.rest.PATCH("/api/ai/profile",{body:e}),this.desk.tell("Saved. It holds within a minute; load the page again to see the new words.")}catch(e){this.desk.tell(oe(e),!0)}this.isSaving=!1,await this.loader.load()}};qi.styles=[b,xe,n`form{display:grid;gap:var(--aisha-4);max-inline-size:640px}textarea{min-block-size:120px;resize:vertical}fieldset{display:grid;gap:var(--aisha-3);grid-template-columns:repeat(auto-fit,minmax(160px,1fr));margin:0;padding:0;border:0}legend{font-weight:600;margin-block-end:var(--aisha-2)}`],E([d({attribute:!1})],qi.prototype,"desk",2),E([h()],qi.prototype,"isSaving",2),qi=E([g("desk-assistant-profile")],qi);var Fi=["executed","failed","rejected","pending","not_found","intended","unreadable"],Gi=class extends o{constructor(){super(...arguments),this.filters={},this.log=new ji(this,()=>this.page()),this.chain=new ji(this,()=>m(this.desk.api.rest.GET("/api/ai/audit/verification")))}render(){return r`${this.chain.show(e=>r`<section class="card">
<h2>Chain ${ze(e.isIntact?"intact":"broken",e.isIntact?"good":"bad")}</h2>
<p>
${Q(e.entries)} entries, each with the hash of the one before.
${e.isIntact?"None was changed, moved or removed.":l}
</p>
${e.problems.map(e=>r`<p class="error">${e}</p>`)}
<p class="muted">
Keep the last hash elsewhere to notice a log that was written anew: <code>${e.head.hash}</code>
</p>
</section>`)}
<form @submit=${this.filter}>
<label class="field">Tool <input name="tool" placeholder="update_lead" /></label>
<label class="field">User <input name="user" placeholder="alice" /></label>
<label class="field">Record <input name="entity" placeholder="Name or id" /></label>
<label class="field"
>Status
<select name="status">
<option value="">Any</option>
${Fi.map(e=>r`<option value=${e}>${re(e)}</option>`)}
</select>
</label>
<button class="button primary">Filter</button>
</form>
${this.log.show(e=>this.table(e))}`}table(e){return e.items.length?r`<div class="scroll" tabindex="0" role="region" aria-label="Audit log">
<table>
<thead>
<tr>
${["Time","User","Through","Tool","Status","What it did"].map(e=>r`<th scope="col">${e}</th>`)}
</tr>
</thead>
<tbody>
${e.items.map(e=>r`<tr>
<td>${ae(e.at)}</td>
<td>${re(e.user)}</td>
<td>${e.door}</td>
<td>${e.tool}</td>
<td>
${ze(e.status)} ${"normal"===e.severity?l:ze(e.severity,"warn")}
</td>
<td class="name">
${e.line}
<details>
<summary>Arguments and records</summary>
<pre>
${JSON.stringify({arguments:e.arguments,receipts:e.receipts,error:e.error},null,2)}</pre>
</details>
</td>
</tr>`)}
</tbody>
</table>
</div>
${e.nextCursor?r`<button class="button" @click=${()=>this.more(e)}>Show more</button>`:l}`:Te("No call fits these filters.")}page(e){let t={...this.filters,limit:30,...e?{cursor:e}:{}};return m(this.desk.api.rest.GET("/api/ai/audit",{params:{query:t}}))}async more(e){try{let t=await this.page(e.nextCursor);this.log.value={...t,items:[...e.items,...t.items]},this.requestUpdate()}catch(e){this.desk.tell(oe(e),!0)}}filter(e){e.preventDefault();let t=[...new FormData(e.target)].map(([e,t])=>[e,String(t).trim()]).filter(([,e])=>e);this.filters=Object.fromEntries(t),this.log.load()}};Gi.styles=[b,xe,n`form{display:flex;flex-wrap:wrap;gap:var(--aisha-3);align-items:end;margin-block:var(--aisha-4)}pre{padding:var(--aisha-2);background:var(--aisha-sunken);border-radius:var(--aisha-radius-s);max-block-size:320px;overflow:auto}`],E([d({attribute:!1})],Gi.prototype,"desk",2),E([h()],Gi.prototype,"filters",2),Gi=E([g("desk-audit")],Gi);var Yi=class extends o{constructor(){super(...arguments),this.deleting="",this.loader=new ji(this,()=>m(this.desk.api.rest.GET("/api/ai/documents")))}render(){return r`<p class="muted head">What the assistant reads when a question is about your own rules and products.</p>
${this.loader.show(e=>this.table(e))}
<form class="card" @submit=${this.add}>
<h2>Add a document</h2>
<label class="field"
>File (Markdown or text) <input type="file" accept=".md,.txt,text/*" @change=${this.read}
/></label>
<label class="field">Title <input name="title" required maxlength="200" /></label>
<label class="field">What it is about <input name="description" required maxlength="300" /></label>
<label class="field">Text <textarea name="text" required></textarea></label>
<div><button class="button primary">Save</button></div>
</form>`}table(e){return e.items.length?r`<div class="scroll" tabindex="0" role="region" aria-label="Documents">
<table>
<thead>
<tr>
<th scope="col">Title</th>
<th scope="col">What it is about</th>
<th scope="col"><span class="hidden-text">Actions</span></th>
</tr>
</thead>
<tbody>
${e.items.map(e=>r`<tr>
<td class="name">${e.title}</td>
<td class="name">${e.description}</td>
<td class="number">${this.actions(e)}</td>
</tr>`)}
</tbody>
</table>
</div>`:Te("There are no documents yet.")}actions(e){return this.deleting!==e.id?r`<button class="button" @click=${()=>this.deleting=e.id}>
Delete<span class="hidden-text"> ${e.title}</span>
</button>`:r`<span class="row">
<button class="button danger" @click=${()=>this.discard(e)}>Delete for good</button>
<button class="button" @click=${()=>this.deleting=""}>Keep</button>
</span>`}async read(e){let t=e.target.files?.[0];if(!t)return;let s=e.target.form;s.elements.namedItem("text").value=await t.text();let a=s.elements.namedItem("title");a.value||=t.name.replace(/\.\w+$/,"").replace(/[-_]+/g," ")}async add(e){e.preventDefault();let t=e.target,s=new FormData(t),a=e=>String(s.get(e)??""),i=a("title").toLowerCase().replace(/[^a-z0-9]+/g,"-").replace(/^-+|-+$/g,"").slice(0,60)||"document";await this.try(async()=>{let e={title:a("title"),description:a("description"),text:a("text")};await this.desk.api.rest.PUT("/api/ai/documents/{id}",{params:{path:{id:i}},body:e}),t.reset(),this.desk.tell("Saved. The assistant reads it from now on.")})}async discard(e){this.deleting="",await this.try(()=>this.desk.api.rest.DELETE("/api/ai/documents/{id}",{params:{path:{id:e.id}}}))}async try(e){try{await e()}catch(e){this.desk.tell(oe(e),!0)}await this.loader.load()}};Yi.styles=[b,xe,n`form{display:grid;gap:var(--aisha-3);max-inline-size:640px;margin-block-start:var(--aisha-4)}textarea{min-block-size:160px;resize:vertical}`],E([d({attribute:!1})],Yi.prototype,"desk",2),E([h()],Yi.prototype,"deleting",2),Yi=E([g("desk-documents")],Yi);var Hi=class extends o{constructor(){super(...arguments),this.sweep=new ji(this,()=>m(this.desk.api.rest.GET("/api/ai/sweeps"))),this.health=new ji(this,()=>m(this.desk.api.rest.GET("/health")))}render(){return r`<div class="head">
<button class="button end" @click=${this.refresh}>Refresh</button>
</div>
<div class="grid">
<section class="card">
<h2>Health</h2>
${this.health.show(e=>r`<dl class="fields">
${e.dependencies.map(e=>r`<dt>${re(e.name)}</dt>
<dd>
${ze(e.state)}
<span class="muted">${e.detail??""} ${le(e.durationMs)}</span>
</dd>`)}
</dl>`)}
</section>
<section class="card">
<h2>Last sweep</h2>
${this.sweep.show(e=>this.state(e))}
</section>
</div>`}state(e){return r`<dl class="fields">
<dt>State</dt>
<dd>${ze(e.status)}</dd>
<dt>Every day</dt>
<dd>
${e.isEnrolled?"Yes":"Not yet: it begins when somebody runs a scan or saves their notification settings"}
</dd>
${e.startedAt?r`<dt>Began</dt>
<dd>${ae(e.startedAt)}</dd>
<dt>Records</dt>
<dd>
${Q(e.recordsExamined??0)} on ${Q(e.pages??0)}
pages${e.truncated?", not all":""}
</dd>`:l}
${e.scans.map(e=>r`<dt>${re(e.scanType)}</dt>
<dd>
${Q(e.findings)} found, ${Q(e.newFindings)} new
${e.failedPages?ze(`${e.failedPages} pages failed`,"bad"):l}
</dd>`)}
</dl>
<h2>Open jobs</h2>
${e.jobs.length?r`<dl class="fields">
${e.jobs.map(e=>r`<dt>${e.name}</dt>
<dd>${ze(e.status,"running"===e.status?"accent":"")}</dd>`)}
</dl>`:r`<p class="muted">None.</p>`}`}refresh(){this.sweep.load(),this.health.load()}};Hi.styles=[b,xe],E([d({attribute:!1})],Hi.prototype,"desk",2),Hi=E([g("desk-operations")],Hi);var Bi={none:"Runs when it is ordered",destructive:"Asks before it deletes",always:"Always asks"},Ki={read:"",write:"accent",delete:"bad",external:"warn"},Vi=class extends o{constructor(){super(...arguments),this.loader=new ji(this,async()=>{let{rest:e}=this.desk.api,[t,s]=await Promise.all([m(e.GET("/api/ai/tools")),m(e.GET("/api/ai/profile"))]);return{tools:t.items,admin:s.admin}})}render(){return r`<p class="muted head">
A rule holds for everyone and only restricts: “ask” makes a tool wait for a yes, “deny” takes it away. Whatever
deletes or leaves the CRM asks in any case.
</p>
${this.loader.show(e=>this.table(e))}`}table({tools:e,admin:t}){let s=new Set(e.map(e=>e.name)),a=Object.keys(t.rules).filter(e=>!s.has(e)),i=e.toSorted((e,t)=>e.toolkit.localeCompare(t.toolkit)||e.name.localeCompare(t.name));return r`<div class="scroll" tabindex="0" role="region" aria-label="Tools">
<table>
<thead>
<tr>
${["Tool","Toolkit","Access","Confirmation","Module","Rule"].map(e=>r`<th scope="col">${e}</th>`)}
</tr>
</thead>
<tbody>
${a.map(e=>r`<tr>
<td class="name"><strong>${e}</strong></td>
<td colspan="4" class="muted">Taken away by its rule</td>
<td>${this.rule(e,t)}</td>
</tr>`)}
${i.map(e=>{return r`<tr>
<td class="name"><strong>${e.name}</strong><br /><span class="muted">${s=e,s.description.split("\n")[0]??""}</span></td>
<td>${re(e.toolkit)}</td>
<td>${ze(e.access,Ki[e.access]??"")}</td>
<td>${Bi[e.confirmation]??e.confirmation}</td>
<td>${e.module?re(e.module):"—"}</td>
<td>${this.rule(e.name,t)}</td>
</tr>`;var s})}
</tbody>
</table>
</div>`}rule(e,t){let s=t.rules[e]??"";return r`<select
aria-label="Rule for ${e}"
.value=${s}
@change=${s=>this.change(e,s.target.value,t)}
>
${[["","No rule"],["allow","Allow"],["ask","Ask"],["deny","Deny"]].map(([e,t])=>r`<option value=${e} ?selected=${e===s}>${t}</option>`)}
</select>`}async change(e,t,s){let{[e]:a,...i}=s.rules,n=t?{...i,[e]:t}:i;try{await this.desk.api.rest.PATCH("/api/ai/profile",{body:{rules:n,version:s.version}}),this.desk.tell(`The rule for ${e} is saved. It holds within a minute.`)}catch(e){this.desk.tell(oe(e),!0)}await this.loader.load()}};Vi.styles=[b,xe],E([d({attribute:!1})],Vi.prototype,"desk",2),Vi=E([g("desk-tools")],Vi);var Ji=class extends o{constructor(){super(...arguments),this.messageId="",this.loader=new ji(this,()=>m(this.desk.api.rest.GET("/api/ai/turns/{id}",{params:{path:{id:this.messageId}}})))}willUpdate(e){e.get("messageId")&&this.loader.load()}render(){return r`<p class="head"><a class="link" href="#/console/turns">All turns</a></p>
${this.loader.show(e=>this.turn(e))}`}turn(e){return r`<div class="grid">
<section class="card">
<h2>Turn ${ze(e.status)}</h2>
<dl class="fields">
<dt>When</dt>
<dd>${ae(e.at)}</dd>
<dt>User</dt>
<dd>${re(e.user)}, through ${e.door}</dd>
<dt>Mode</dt>
<dd>${re(e.mode)}</dd>
<dt>Model</dt>
<dd>${e.provider}: ${e.model} ${e.degraded?ze("degraded","warn"):l}</dd>
<dt>Model calls</dt>
<dd>${Q(e.iterations)}</dd>
<dt>Tokens</dt>
<dd>${Q(e.inputTokens)} read, ${Q(e.outputTokens)} written</dd>
<dt>Cost</dt>
<dd><strong>${X(e.costUsd)}</strong></dd>
${e.error?r`<dt>Error</dt>
<dd class="error">${e.error}</dd>`:l}
${e.warnings.length?r`<dt>Warnings</dt>
<dd>${e.warnings.join(" ")}</dd>`:l}
${e.asked?r`<dt>Asked about</dt>
<dd>${e.asked}</dd>`:l}
<dt>Ids</dt>
<dd><code>${e.messageId}</code><br /><code>${e.conversationId}</code></dd>
</dl>
</section>
${this.shares("Time by step",e.stepsMs,le,e.totalMs)}
${this.shares("Prompt by section, in tokens",e.promptTokens,Q)}
<section class="card">
<h2>Tool calls</h2>
${e.calls.length?e.calls.map(e=>r`<div class="call">
<strong>${e.name}</strong> ${ze(e.status)}
<span class="muted">${le(e.durationMs)}</span>
<p>${e.error??e.line}</p>
<details>
<summary>Arguments</summary>
<pre>${JSON.stringify(e.arguments,null,2)}</pre>
</details>
</div>`):r`<p class="muted">This turn used no tool.</p>`}
</section>
<p class="muted">
What was said is not shown here: only the user reads their conversations. Records before and after a change are
in the audit log.
</p>
</div>`}shares(e,t,s,a){let i=Object.entries(t).filter(([,e])=>e>0),n=a??i.reduce((e,[,t])=>e+t,0);return r`<section class="card">
<h2>${e} <span class="muted">${s(n)}</span></h2>
${i.length?r`<div class="share">
${i.toSorted((e,t)=>t[1]-e[1]).map(([e,t])=>r`<span>${re(e)}</span>
<progress max=${n||1} value=${t} aria-label=${re(e)}></progress>
<span class="number">${s(t)}</span>`)}
</div>`:r`<p class="muted">None: the offline planner reads no prompt.</p>`}
</section>`}};Ji.styles=[b,xe,n`.share{display:grid;grid-template-columns:minmax(12ch,22ch) 1fr auto;gap:var(--aisha-2) var(--aisha-3);align-items:center}details{margin-block-start:var(--aisha-1)}.call{padding-block:var(--aisha-3);border-block-end:1px solid var(--aisha-line);overflow-wrap:anywhere}.call:last-child{border:0}pre{padding:var(--aisha-2);background:var(--aisha-sunken);border-radius:var(--aisha-radius-s)}`],E([d({attribute:!1})],Ji.prototype,"desk",2),E([d()],Ji.prototype,"messageId",2),Ji=E([g("desk-turn")],Ji);var Zi=class extends o{constructor(){super(...arguments),this.onlyFailed=!1,this.loader=new ji(this,()=>this.page())}render(){return r`<div class="head">
<label class="row">
<input
type="checkbox"
.checked=${this.onlyFailed}
@change=${e=>{this.onlyFailed=e.target.checked,this.loader.load()}}
/>
Only failed ones
</label>
<button class="button end" @click=${()=>this.loader.load()}>Refresh</button>
</div>
${this.loader.show(e=>this.table(e))}`}table(e){return e.items.length?r`<div class="scroll" tabindex="0" role="region" aria-label="Turns">
<table>
<thead>
<tr>
${["Time","User","Through","Status","Tools","Model"].map(e=>r`<th scope="col">${e}</th>`)}
<th scope="col" class="number">Took</th>
<th scope="col" class="number">Cost</th>
</tr>
</thead>
<tbody>
${e.items.map(e=>r`<tr>
<td><a class="link" href="#/console/turns/${e.messageId}">${ae(e.at)}</a></td>
<td>${re(e.user)}</td>
<td>${e.door}</td>
<td>${ze(e.status)}</td>
<td class="name">${e.tools.join(", ")||"—"}</td>
<td>${e.model}</td>
<td class="number">${le(e.totalMs)}</td>
<td class="number">${X(e.costUsd)}</td>
</tr>`)}
</tbody>
</table>
</div>
${e.nextCursor?r`<button class="button" @click=${()=>this.more(e)}>Show more</button>`:l}`:Te("No turns yet. Ask the assistant something.")}page(e){let t={limit:25,...this.onlyFailed?{success:!1}:{},...e?{cursor:e}:{}};return m(this.desk.api.rest.GET("/api/ai/turns",{params:{query:t}}))}async more(e){try{let t=await this.page(e.nextCursor);this.loader.value={...t,items:[...e.items,...t.items]},this.requestUpdate()}catch(e){this.desk.tell(oe(e),!0)}}};Zi.styles=[b,xe],E([d({attribute:!1})],Zi.prototype,"desk",2),E([h()],Zi.prototype,"onlyFailed",2),Zi=E([g("desk-turns")],Zi);var Xi=class extends o{constructor(){super(...arguments),this.theme="",this.days=30,this.loader=new ji(this,()=>m(this.desk.api.rest.GET("/api/ai/usage",{params:{query:{days:this.days}}})))}render(){return r`<div class="head">
<label class="row">
<span class="muted">Time</span>
<select @change=${this.choose}>
${[7,30,90].map(e=>r`<option value=${e} ?selected=${e===this.days}>Last ${e} days</option>`)}
</select>
</label>
</div>
${this.loader.show(e=>this.usage(e))}`}usage(e){let{budget:t}=e,s=t.budgetUsd?t.spentUsd/t.budgetUsd:0,a=this.desk.profile.admin?.limits,i=e.byDay.map(e=>te(e.name));return r`<div class="grid">
<section class="card stack">
<h2>Budget of this month</h2>
<p><strong>${X(t.spentUsd)}</strong> of ${X(t.budgetUsd)} (${Math.round(100*s)}%)</p>
<meter
min="0"
max=${t.budgetUsd||1}
low=${.75*t.budgetUsd}
high=${.9*t.budgetUsd}
optimum="0"
value=${t.spentUsd}
aria-label="Spent of the budget"
></meter>
${a?r`<dl class="fields">
<dt>Plan</dt>
<dd>${re(this.desk.profile.admin.plan)}</dd>
<dt>Requests</dt>
<dd>
${Q(a.userPerMinute)} a minute for each user, ${Q(a.tenantPerHour)} an hour for
all
</dd>
</dl>`:l}
<p class="muted">
When the budget is used up no paid model is asked; the offline planner goes on answering at no cost.
</p>
</section>
<section class="card">
<h2>Turns by day</h2>
${i.length?r`<desk-chart
caption="Turns by day"
.labels=${i}
.series=${[{name:"Answered",values:e.byDay.map(e=>e.turns-e.failed)},{name:"Failed",values:e.byDay.map(e=>e.failed)}]}
.format=${Q}
theme=${this.theme}
></desk-chart>`:r`<p class="muted">No turns yet.</p>`}
</section>
${this.table("By user",e.byUser,re)} ${this.table("By model",e.byModel,String)}
</div>
${e.truncated?r`<p class="muted">Only the newest 2,000 turns and commands are counted.</p>`:l}`}table(e,t,s){return r`<section class="card">
<h2>${e}</h2>
<div class="scroll" tabindex="0" role="region" aria-label=${e}>
<table>
<thead>
<tr>
<th scope="col">${e.replace("By ","").replace(/^./,e=>e.toUpperCase())}</th>
<th scope="col" class="number">Turns</th>
<th scope="col" class="number">Failed</th>
<th scope="col" class="number">Tokens</th>
<th scope="col" class="number">Cost</th>
</tr>
</thead>
<tbody>
${t.map(e=>r`<tr>
<td class="name">${s(e.name)}</td>
<td class="number">${Q(e.turns)}</td>
<td class="number">${Q(e.failed)}</td>
<td class="number">${Q(e.inputTokens+e.outputTokens)}</td>
<td class="number">${X(e.costUsd)}</td>
</tr>`)}
</tbody>
</table>
</div>
</section>`}choose(e){this.days=Number(e.target.value),this.loader.load()}};Xi.styles=[b,xe,n`meter{inline-size:100%;block-size:14px}.stack{display:grid;gap:var(--aisha-3)}`],E([d({attribute:!1})],Xi.prototype,"desk",2),E([d()],Xi.prototype,"theme",2),E([h()],Xi.prototype,"days",2),Xi=E([g("desk-usage")],Xi);var Qi={"":"Usage",turns:"Turns",analytics:"Analytics",audit:"Audit log",tools:"Tools and rules",assistant:"Assistant",documents:"Documents",operations:"Sweeps and health"},en=class extends o{constructor(){super(...arguments),this.path="",this.theme=""}render(){let[e=""]=this.path.split("/");return r`<div class="head"><h1>Console</h1></div>
<nav class="tabs head" aria-label="Console">
${Object.entries(Qi).map(([t,s])=>r`<a href="#/console${t?`/${t}`:""}" aria-current=${t===e?"page":l}
>${s}</a
>`)}
</nav>
${this.view()}`}view(){let{desk:e,theme:t}=this,[s="",a=""]=this.path.split("/");switch(s){case"turns":return a?r`<desk-turn .desk=${e} messageId=${a}></desk-turn>`:r`<desk-turns .desk=${e}></desk-turns>`;case"analytics":return r`<desk-analytics .desk=${e} theme=${t}></desk-analytics>`;case"audit":return r`<desk-audit .desk=${e}></desk-audit>`;case"tools":return r`<desk-tools .desk=${e}></desk-tools>`;case"assistant":return r`<desk-assistant-profile .desk=${e}></desk-assistant-profile>`;case"documents":return r`<desk-documents .desk=${e}></desk-documents>`;case"operations":return r`<desk-operations .desk=${e}></desk-operations>`;default:return r`<desk-usage .desk=${e} theme=${t}></desk-usage>`}}};en.styles=[b,xe],E([d({attribute:!1})],en.prototype,"desk",2),E([d()],en.prototype,"path",2),E([d()],en.prototype,"theme",2),en=E([g("desk-console")],en);var tn=class extends o{constructor(){super(...arguments),this.theme="",this.nextStep=null,this.briefing=null,this.busy=""}firstUpdated(){let e=e=>this.desk.profile.modules.includes(e);e("opportunities")&&(this.deals=new de(this,"opportunity",!0)),e("activities")&&(this.activities=new de(this,"activity",!0)),e("goals")&&(this.goals=new de(this,"goal",!0));for(let e of[this.deals,this.activities,this.goals])e?.load();this.brief(),this.recommend()}render(){let e=(new Date).getHours(),t=e<12?"Good morning":e<18?"Good afternoon":"Good evening",s=this.desk.profile.name?.split(" ")[0];return r`<div class="head"><h1>${t}${s?`, ${s}`:""}</h1></div>
<div class="figures">${this.figures()}</div>
<div class="grid">
${this.deals?this.pipeline(this.deals.items):l} ${this.next()}
${this.goals?this.goalList():l} ${this.changes()} ${this.briefed()}
</div>`}figures(){let e=(this.deals?.items??[]).filter(e=>sn(e)),t=e.map(e=>({...e,amount:Number(e.amount??0)*Number(e.probability??0)/100})),s=(this.activities?.items??[]).filter(e=>"scheduled"===e.status).map(e=>ee(e.due_at)).filter(e=>null!==e),a=s.filter(e=>e.getTime()<Date.now()).length,i=s.filter(e=>0===ie(e)&&e.getTime()>=Date.now()).length,n=(e,t,s)=>r`<div class="card figure"><strong>${t}</strong><a class="link" href=${s}>${e}</a></div>`;return[...this.deals?[n("Open pipeline",this.deals.isLoading?"…":Ue(e),"#/opportunities"),n("Weighted",this.deals.isLoading?"…":Ue(t),"#/opportunities"),n("Open deals",this.deals.isLoading?"…":e.length,"#/opportunities")]:[],...this.activities?[n("Still due today",this.activities.isLoading?"…":i,"#/activities"),n("Overdue",this.activities.isLoading?"…":a,"#/activities")]:[]]}pipeline(e){let t=e.filter(t=>sn(t)&&(t.currency??"USD")===an(e)),s=new Map;for(let e of t){let t=String(e.owner??"Nobody");s.set(t,(s.get(t)??0)+Number(e.amount??0))}let a=[...s].sort((e,t)=>t[1]-e[1]).map(([e])=>e),i=a.slice(0,4),n=(e,s)=>t.filter(t=>t.stage===e&&s(String(t.owner??"Nobody"))).reduce((e,t)=>e+Number(t.amount??0),0),o=i.map(e=>({name:re(e),values:ue.map(t=>n(t,t=>t===e))}));if(a.length>i.length){let e=e=>!i.includes(e);o.push({name:"Others",values:ue.map(t=>n(t,e))})}let d=an(e),h=new Set(e.map(e=>e.currency??"USD")).size>1;return r`<section class="card">
<h2>Pipeline by stage and owner${h?r` <span class="muted">in ${d}</span>`:l}</h2>
${t.length?r`<desk-chart
caption="Open pipeline by stage and owner"
.labels=${ue.map(e=>re(e))}
.series=${o}
.format=${e=>Z(e,d,!0)}
theme=${this.theme}
></desk-chart>`:r`<p class="muted">${this.deals.isLoading?"Loading…":"No open deals."}</p>`}
</section>`}goalList(){let e=this.goals;return r`<section class="card">
<h2>Goals</h2>
${e.items.length?r`<ul>
${e.items.map(e=>{let t=Number(e.progress??0);return r`<li>
<div class="row">
<strong>${e.display_name}</strong><span class="muted">${e.period??""}</span>
<span class="end">${t}%</span>
</div>
<progress max="100" value=${t} aria-label=${e.display_name}></progress>
</li>`})}
</ul>`:r`<p class="muted">${e.isLoading?"Loading…":"No goals are set."}</p>`}
</section>`}changes(){let e=this.desk.feed.recent.slice(0,6);return r`<section class="card">
<h2>Latest changes</h2>
${e.length?r`<ul>
${e.map(e=>r`<li>
${e.isOwn?"You":e.user} ${we(e)}
<span class="muted">${ne(e.at)}, ${se(e.at)}</span>
</li>`)}
</ul>`:r`<p class="muted">What the assistant changes shows here at once, with who asked for it.</p>`}
</section>`}next(){let e=this.nextStep,t=e?.scanType;return r`<section class="card stack">
<h2>Next step</h2>
${e?r`<p>${e.response||e.reason}</p>
${t?r`<div>
<button class="button primary" ?disabled=${""!==this.busy} @click=${()=>this.run(t)}>
${this.busy===t?"Scanning…":`Run the scan “${re(t)}”`}
</button>
</div>`:l}
<dl class="fields">
${Object.entries(e.statistics??{}).map(([e,t])=>r`<dt>${re(e.replace(/([A-Z])/g," $1").toLowerCase())}</dt>
<dd>${t}</dd>`)}
</dl>`:r`<p class="muted">
${"failed"===this.busy?"No recommendation right now.":"Looking at your pipeline…"}
</p>`}
</section>`}briefed(){return r`<section class="card stack">
<h2>Briefing</h2>
<p>${this.briefing?.text??"…"}</p>
</section>`}async brief(){let e={variant:"full",timeframeHours:24};try{this.briefing=await m(this.desk.api.rest.GET("/api/ai/scan-briefing",{params:{query:e}}))}catch(e){this.briefing={success:!1,text:oe(e),data:null}}}async recommend(){try{this.nextStep=await m(this.desk.api.rest.POST("/api/ai/next-step",{body:{}}))}catch{this.busy="failed"}}async run(e){this.busy=e;try{await this.desk.api.rest.POST("/api/ai/scans",{params:{header:{"Idempotency-Key":crypto.randomUUID()}},body:{scanType:e}}),await Promise.all([this.brief(),this.recommend()]),this.desk.tell("The scan is done: see the briefing.")}catch(e){this.desk.tell(oe(e),!0)}this.busy=""}};function sn(e){return!String(e.stage).startsWith("closed")}function an(e){let t=new Map;for(let s of e){let e=String(s.currency??"USD");t.set(e,(t.get(e)??0)+1)}return[...t].sort((e,t)=>t[1]-e[1])[0]?.[0]??"USD"}tn.styles=[b,xe,n`.figures{display:grid;gap:var(--aisha-3);grid-template-columns:repeat(auto-fit,minmax(140px,1fr));margin-block-end:var(--aisha-4)}.figure strong{display:block;font-size:22px;letter-spacing:-.02em;font-variant-numeric:tabular-nums}.grid{grid-template-columns:repeat(auto-fit,minmax(min(100%,360px),1fr))}ul{display:grid;gap:var(--aisha-3);margin:0;padding:0;list-style:none}li{overflow-wrap:anywhere}.stack{display:grid;gap:var(--aisha-3)}.stack h2{margin:0}`],E([d({attribute:!1})],tn.prototype,"desk",2),E([d()],tn.prototype,"theme",2),E([h()],tn.prototype,"nextStep",2),E([h()],tn.prototype,"briefing",2),E([h()],tn.prototype,"busy",2),tn=E([g("desk-dashboard")],tn);var nn=class extends EventTarget{constructor(e){super(),this.api=e,this.recent=[],this.isLost=!1,this.marked=new Map,this.next=null,this.failures=0,this.isPolling=!1,this.isAsked=!1,this.isStopped=!0,this.poke=()=>{this.isPolling?this.isAsked=!0:this.isStopped||this.poll()}}start(){this.isStopped=!1,document.addEventListener("visibilitychange",this.poke),addEventListener("online",this.poke),this.poll()}stop(){this.isStopped=!0,clearTimeout(this.timer),document.removeEventListener("visibilitychange",this.poke),removeEventListener("online",this.poke)}markOf(e){return this.marked.get(e)}async poll(){clearTimeout(this.timer),this.isPolling=!0;let e=!1;try{let t=null===this.next?{}:{since:this.next},s=await m(this.api.rest.GET("/api/crm/changes",{params:{query:t}})),a=null===this.next;this.next=s.next,e=s.hasMore,this.recent=[...s.items.toReversed(),...this.recent].slice(0,50),this.setLost(0),!a&&s.items.length?this.publish(s.items):a&&this.dispatchEvent(new CustomEvent("changes",{detail:[]}))}catch{this.setLost(this.failures+1)}if(this.isPolling=!1,this.isStopped)return;let t=e||this.isAsked;this.isAsked=!1,this.timer=setTimeout(()=>{this.poll()},t?0:this.waitMs())}publish(e){for(let t of e)this.marked.set(t.entity.id,t),setTimeout(()=>{this.marked.get(t.entity.id)===t&&(this.marked.delete(t.entity.id),this.dispatchEvent(new Event("marks")))},12e3);this.dispatchEvent(new CustomEvent("changes",{detail:e}))}setLost(e){this.failures=e;let t=e>1;t!==this.isLost&&(this.isLost=t,this.dispatchEvent(new Event("state")))}waitMs(){let e=document.hidden?3e4:2500;return Math.min(e*2**Math.min(this.failures,5),Math.max(6e4,e))}},rn=new Set(["id","entity_type","display_name","version","custom","first_name","last_name","name"]),ln=class extends o{constructor(){super(...arguments),this.recordId="",this.record=null,this.error="",this.take=e=>{let t=e.detail.findLast(e=>e.entity.id===this.recordId);t&&(t.record?this.record=t.record:this.error=`${t.entity.name} was deleted by ${t.isOwn?"you":t.user}.`)}}disconnectedCallback(){super.disconnectedCallback(),this.desk.feed.removeEventListener("changes",this.take)}willUpdate(e){e.has("recordId")&&this.load()}render(){if(this.error)return Se(this.error,()=>this.load());let e=this.record;if(!e)return Ee;let t=this.desk.feed.markOf(e.id);return r`<div class="head">
<a class="link" href="#/${this.kind.page}">${fe(this.kind,this.desk.profile.labels,!0)}</a>
<span class="muted" aria-hidden="true">/</span>
<h1 dir="auto">${e.display_name}</h1>
${ze(e.stage??e.status??e.health)}
${t?r`<span class="badge accent">${t.isOwn?"You":t.user} ${we(t)}</span>`:l}
</div>
<div class="row asks">${this.asks(e)}</div>
<div class="columns">
<section class="card ${t?"marked":""}">
<h2>Details</h2>
<dl class="fields">
${this.fields(e).map(t=>r`<dt>${re(ve(t))}</dt>
<dd dir="auto">${this.value(e,t)}</dd>`)}
</dl>
</section>
${"note"===this.kind.type||"activity"===this.kind.type?l:r`<div class="stack">
<section class="card">
<h2>Activities</h2>
${this.related(this.activities,"No activities yet.")}
</section>
<section class="card">
<h2>Notes</h2>
${this.related(this.notes,"No notes yet.")}
</section>
</div>`}
</div>`}fields(e){return Object.keys(e).filter(t=>{let s=e[t],a=null===s||""===s||Array.isArray(s)&&!s.length;return!(rn.has(t)||a||t.endsWith("_id")||t.startsWith("do_not"))})}value(e,t){let s=e[t];if("related"===t&&s?.id){let e={lead:"leads",contact:"contacts",account:"accounts",opportunity:"opportunities"}[s.type??""];return e?r`<a class="link" href="#/${e}/${s.id}">${s.name}</a>`:s.name}return ye(e,t)}asks(e){let t=((e,t)=>{let s=t.display_name;switch(e){case"activity":return"scheduled"===t.status?[`Mark the activity “${s}” as completed`]:[];case"lead":case"contact":case"account":case"opportunity":return[`What should I do next with ${s}?`,`Give me a summary of ${s}`,`Schedule a call with ${s} tomorrow at 10`];default:return[]}})(this.kind.type,e).map(e=>r`<button class="button" @click=${()=>this.desk.ask(e)}>${e}</button>`);return"opportunity"!==this.kind.type?t:[r`<label class="row">
<span class="muted">Move to</span>
<select
.value=${String(e.stage)}
@change=${t=>this.move(t.target,e)}
>
${ce.map(t=>r`<option value=${t} ?selected=${t===e.stage}>${re(t)}</option>`)}
</select>
</label>`,...t]}move(e,t){this.desk.ask(ke(e.value,t)),e.value=String(t.stage)}related(e,t){return!e||e.isLoading?r`<p class="muted">Loading…</p>`:e.error?r`<p class="error">${e.error}</p>`:e.items.length?r`<ul>
${e.items.map(e=>r`<li class=${this.desk.feed.markOf(e.id)?"marked":""}>
<div dir="auto">${e.content??e.display_name}</div>
<span class="muted">
${e.due_at?ae(e.due_at):ae(e.created_at)}
${e.owner?`· ${re(String(e.owner))}`:l}
</span>
${ze(e.status??e.note_type)}
</li>`)}
</ul>`:r`<p class="muted">${t}</p>`}async load(){this.record=null,this.error="",this.desk.feed.addEventListener("changes",this.take);let e=this.recordId;try{let t={type:this.kind.type,id:e},s=await m(this.desk.api.rest.GET("/api/crm/{type}/{id}",{params:{path:t}}));if(e!==this.recordId)return;this.record=s}catch(e){return void(this.error=oe(e))}"note"===this.kind.type||"activity"===this.kind.type||(this.activities??=new de(this,"activity"),this.notes??=new de(this,"note"),this.activities.load({related_id:e}),this.notes.load({related_id:e}))}};function on(e,t){return r`<ul>
${e.map(({id:e,text:s,about:a})=>r`<li>
<span dir="auto">${s}${a?r` <span class="muted">${a}</span>`:l}</span>
<button class="button" aria-label="Delete: ${s}" @click=${()=>t(e)}>Delete</button>
</li>`)}
</ul>`}ln.styles=[b,xe,n`.columns{display:grid;gap:var(--aisha-4);grid-template-columns:repeat(auto-fit,minmax(min(100%,300px),1fr));align-items:start}ul{display:grid;gap:var(--aisha-3);margin:0;padding:0;list-style:none}li{overflow-wrap:anywhere}.asks{margin-block-end:var(--aisha-4)}.stack{display:grid;gap:var(--aisha-4)}`],E([d({attribute:!1})],ln.prototype,"desk",2),E([d({attribute:!1})],ln.prototype,"kind",2),E([d()],ln.prototype,"recordId",2),E([h()],ln.prototype,"record",2),E([h()],ln.prototype,"error",2),ln=E([g("desk-record")],ln);var dn=class extends o{constructor(){super(...arguments),this.loaded=null,this.error="",this.add=async e=>{e.preventDefault();let t=e.target,s=String(new FormData(t).get("text")??"").trim();s&&await this.try(()=>this.desk.api.rest.POST("/api/ai/instructions",{body:{text:s}}))&&t.reset()}}firstUpdated(){this.load()}render(){if(this.error)return Se(this.error,()=>this.load());let e=this.loaded;return e?r`<div class="head"><h1>Settings</h1></div>
<div class="grid">
<section class="card">
<h2 id="mode">How it answers</h2>
<fieldset aria-labelledby="mode">
${Object.entries(e.modes).map(([t,s])=>r`<label>
<input
type="radio"
name="mode"
.checked=${t===e.mode}
@change=${()=>this.setMode(t)}
/>
<strong>${re(t)}</strong><span class="muted">${s}</span>
</label>`)}
</fieldset>
</section>
<section class="card">${this.instructions(e)}</section>
<section class="card stack">${this.notifications(e.settings)}</section>
<section class="card">
<h2>Due and coming up</h2>
${e.coming.length?r`<ul>
${e.coming.map(e=>r`<li>
<span>${e.title}</span><span class="muted">${e.dueAt?ae(e.dueAt):""}</span>
</li>`)}
</ul>`:r`<p class="muted">Nothing is due. Ask the assistant to remind you of something.</p>`}
</section>
<section class="card">
<h2>Memories</h2>
${e.memories.length?on(e.memories.map(e=>({...e,about:te(e.updatedAt)})),e=>this.forget("/api/ai/memories/{id}",e)):r`<p class="muted">Nothing yet. Say “remember that ABC Corp pays late”.</p>`}
</section>
<section class="card">
<h2>Sticky notes</h2>
${e.notes.length?on(e.notes.map(e=>({...e,about:e.dueAt?ae(e.dueAt):""})),e=>this.forget("/api/ai/sticky-notes/{id}",e)):r`<p class="muted">Nothing yet. Say “remind me to buy flowers tomorrow”.</p>`}
</section>
</div>`:Ee}instructions(e){return r`<h2>Standing instructions</h2>
${e.instructions.length?on(e.instructions,e=>this.forget("/api/ai/instructions/{id}",e)):r`<p class="muted">Say once what it should always keep to, such as “Give amounts in euros”.</p>
<br />`}
<form @submit=${this.add}>
<input
name="text"
required
maxlength=${300}
aria-label="New instruction"
placeholder="New instruction"
/>
<button class="button primary">Add</button>
</form>`}notifications(e){let t=t=>{this.save({...e,...t})};return r`<h2>Notifications</h2>
<label class="field"
>Also sent by
<select
.value=${e.channel}
@change=${e=>t({channel:e.target.value})}
>
<option value="in_app" ?selected=${"in_app"===e.channel}>Nothing else: in the app alone</option>
<option value="email" ?selected=${"email"===e.channel}>Email</option>
</select>
</label>
<label class="row">
<input
type="checkbox"
.checked=${e.digest??!1}
@change=${e=>t({digest:e.target.checked})}
/>
A digest every day
</label>
<label class="field"
>At
<select
.value=${String(e.digestHour)}
?disabled=${!e.digest}
@change=${e=>t({digestHour:Number(e.target.value)})}
>
${Array.from({length:24},(t,s)=>{let a=`${String(s).padStart(2,"0")}:00`;return r`<option value=${s} ?selected=${s===e.digestHour}>${a}</option>`})}
</select>
<span class="muted">${e.zone??l}</span>
</label>`}async load(){this.error="";let{rest:e}=this.desk.api;try{let[t,s,a,i,n,r,l]=await Promise.all([m(e.GET("/api/ai/mode")),m(e.GET("/api/ai/models")),m(e.GET("/api/ai/instructions")),m(e.GET("/api/ai/memories")),m(e.GET("/api/ai/sticky-notes")),m(e.GET("/api/ai/notifications/settings")),m(e.GET("/api/ai/notifications",{params:{query:{includeComing:!0}}}))]);this.loaded={mode:t.mode,modes:s.modes,instructions:a.items,memories:i.items,notes:n.items,settings:r,coming:l.notifications}}catch(e){this.error=oe(e)}}async setMode(e){await this.try(()=>this.desk.api.rest.POST("/api/ai/mode/{mode}",{params:{path:{mode:e}}}))}async forget(e,t){await this.try(()=>this.desk.api.rest.DELETE(e,{params:{path:{id:t}}}),"Deleted.")}async save(e){let{channel:t,digest:s,digestHour:a}=e;await this.try(()=>this.desk.api.rest.POST("/api/ai/notifications/settings",{body:{channel:t,digest:s,digestHour:a}}))}async try(e,t="Saved."){try{return await e(),this.desk.tell(t),!0}catch(e){return this.desk.tell(oe(e),!0),!1}finally{await this.load()}}};dn.styles=[b,xe,n`ul{display:grid;gap:var(--aisha-2);margin:0 0 var(--aisha-3);padding:0;list-style:none}li{display:flex;align-items:center;justify-content:space-between;gap:var(--aisha-3);overflow-wrap:anywhere}.stack{display:grid;gap:var(--aisha-3)}fieldset{display:grid;gap:var(--aisha-3);border:0;margin:0;padding:0}fieldset label{display:grid;grid-template-columns:auto 1fr;gap:2px var(--aisha-2);align-items:center}fieldset .muted{grid-column:2}input[type=radio],input[type=checkbox]{min-block-size:0;inline-size:18px;block-size:18px;accent-color:var(--aisha-accent-fill)}form{display:flex;gap:var(--aisha-2)}form input{flex:1;min-inline-size:0}`],E([d({attribute:!1})],dn.prototype,"desk",2),E([h()],dn.prototype,"loaded",2),E([h()],dn.prototype,"error",2),dn=E([g("desk-settings")],dn);var hn={title:"Owner",cell:e=>e.owner?re(String(e.owner)):"—"},cn={lead:[{title:"Company",cell:e=>e.company??"—"},{title:"Status",cell:e=>ze(e.status)},{title:"Score",cell:e=>e.score??"—",isNumber:!0},{title:"Value",cell:e=>Z(e.estimated_value??NaN),isNumber:!0},{title:"Last contact",cell:e=>ne(e.last_contacted_at)},hn],contact:[{title:"Company",cell:e=>e.company??"—"},{title:"Job title",cell:e=>e.job_title??"—"},{title:"Email",cell:e=>e.email??"—"},{title:"Last contact",cell:e=>ne(e.last_contacted_at)},hn],account:[{title:"Industry",cell:e=>e.industry??"—"},{title:"Type",cell:e=>ze(e.type)},{title:"Health",cell:e=>ze(e.health)},{title:"Revenue",cell:e=>Z(e.annual_revenue??NaN,"USD",!0),isNumber:!0},hn],note:[{title:"About",cell:e=>e.related?.name??"—"},{title:"Type",cell:e=>ze(e.note_type)},{title:"Written",cell:e=>ne(e.created_at)},hn]},un=class extends o{constructor(){super(...arguments),this.search="",this.status=""}willUpdate(e){e.has("kind")&&(this.list?.hostDisconnected(),this.list=new de(this,this.kind.type),[this.search,this.status]=["",""],this.list.load())}render(){let e=this.list,t=fe(this.kind,this.desk.profile.labels,!0);return r`<div class="head">
<h1>${t}</h1>
<span class="muted">${e.total??""}</span>
<search class="row end">
${"lead"===this.kind.type?this.statuses():l}
<input
type="search"
placeholder="Search by name"
aria-label="Search ${t.toLowerCase()}"
.value=${this.search}
@input=${e=>this.find(e.target.value)}
/>
</search>
</div>
${this.content(e,t)}`}content(e,t){if(e.error)return Se(e.error,()=>this.load());if(e.isLoading&&!e.items.length)return Ee;if(!e.items.length)return Te(this.search||this.status?"Nothing fits this search.":`There are no ${t.toLowerCase()} yet.`);let s=cn[this.kind.type]??[hn];return r`<div class="scroll" tabindex="0" role="region" aria-label=${t}>
<table>
<thead>
<tr>
<th scope="col">Name</th>
${s.map(e=>r`<th scope="col" class=${e.isNumber?"number":""}>${e.title}</th>`)}
</tr>
</thead>
<tbody>
${e.items.map(e=>this.row(e,s))}
</tbody>
</table>
</div>
${e.next?r`<p class="head"></p>
<button class="button" ?disabled=${e.isLoading} @click=${()=>e.more()}>Show more</button>`:l}`}row(e,t){let s=this.desk.feed.markOf(e.id);return r`<tr class=${s?"marked":""}>
<td class="name">
<a class="link" dir="auto" href="#/${this.kind.page}/${e.id}">${e.display_name}</a>
${s?r` <span class="badge accent">${s.action} by ${s.isOwn?"you":s.user}</span>`:l}
</td>
${t.map(t=>r`<td class=${t.isNumber?"number":""} dir="auto">${t.cell(e)}</td>`)}
</tr>`}statuses(){return r`<select
aria-label="Status"
.value=${this.status}
@change=${e=>{this.status=e.target.value,this.load()}}
>
<option value="">Any status</option>
${pe.map(e=>r`<option value=${e}>${re(e)}</option>`)}
</select>`}find(e){this.search=e,clearTimeout(this.timer),this.timer=setTimeout(()=>{this.load()},250)}load(){return this.list.load({...this.search.trim()?{name_contains:this.search.trim()}:{},...this.status?{status:this.status}:{}})}};un.styles=[b,xe],E([d({attribute:!1})],un.prototype,"desk",2),E([d({attribute:!1})],un.prototype,"kind",2),E([h()],un.prototype,"search",2),E([h()],un.prototype,"status",2),un=E([g("desk-table")],un);var pn=matchMedia("(max-width: 1100px)"),mn=["alice","bob"],gn="aisha.desk.theme",fn="aisha.desk.user",vn={dashboard:"",pipeline:"opportunities",goals:"",documents:"console/documents"},yn=class extends o{constructor(){super(...arguments),this.api="",this.token=null,this.desk=null,this.error="",this.path="",this.user=localStorage.getItem(fn)??mn[0],this.theme=localStorage.getItem(gn)??"midnight",this.told=null,this.source=e=>this.token?this.token(e):this.localToken(),this.follow=()=>{let e=decodeURIComponent(location.hash.replace(/^#\/?/,""));e!==this.path&&(this.path=e,this.main?.scrollTo(0,0))},this.navigate=e=>{let{page:t,record:s}=e.detail,a=s?me(s.type):void 0;s&&a?this.go(`${a.page}/${s.id}`):t&&this.go(vn[t]??t)}}connectedCallback(){super.connectedCallback(),addEventListener("hashchange",this.follow),this.follow(),this.start()}disconnectedCallback(){super.disconnectedCallback(),removeEventListener("hashchange",this.follow),this.desk?.feed.stop()}willUpdate(e){e.has("theme")&&(this.dataset.theme=this.theme)}render(){return r`${this.told?r`<p class="told ${this.told.isError?"error":""}" role="alert">${this.told.text}</p>`:l}
<header class="top">
<a class="skip" href="#/${this.path}" @click=${this.skip}>Go to the content</a>
<strong>${this.desk?.profile.assistantName??"AiSHA"} desk</strong>
${this.desk?.feed.isLost?r`<span class="lost" role="status">The server does not answer; trying again…</span>`:l}
<span class="end"></span>
${this.users()}
<button class="button" @click=${()=>this.setTheme("light"===this.theme?"midnight":"light")}>
${"light"===this.theme?"Dark":"Light"}
</button>
</header>
${this.navigation()}
<main id="content" tabindex="-1">
${this.error?Se(this.error,()=>this.start()):this.desk?this.page(this.desk,this.path):Ee}
</main>
${this.desk?this.side(this.desk):l}`}side(e){let[t="",s=""]=this.path.split("/"),a=s?ge(t):void 0;return r`<aisha-assistant
.token=${this.source}
api=${this.api}
theme=${this.theme}
name=${e.profile.assistantName}
?minimised=${pn.matches}
page=${t||"dashboard"}
record-type=${a?.type??""}
record-id=${a?s:""}
@recordchanged=${()=>e.feed.poke()}
@navigate=${this.navigate}
></aisha-assistant>
<desk-changes .desk=${e}></desk-changes>`}navigation(){let e=this.desk?.profile,[t=""]=this.path.split("/"),s=(e,s)=>r`<a href="#/${e}" aria-current=${e===t||"activities"===e&&"calendar"===t?"page":l}>${s}</a>`;return r`<nav class="pages" aria-label="Pages">
${s("","Overview")}
${he.filter(t=>e?.modules.includes(t.module)).map(t=>s(t.page,fe(t,e?.labels??{},!0)))}
<hr />
${s("settings","Settings")} ${e?.isAdmin?s("console","Console"):l}
</nav>`}page(e,t){let[s="",a=""]=t.split("/"),i=ge(s);return"calendar"===s?r`<desk-activities .desk=${e} view="calendar"></desk-activities>`:"settings"===s?r`<desk-settings .desk=${e}></desk-settings>`:"console"===s&&e.profile.isAdmin?r`<desk-console
.desk=${e}
path=${t.slice(8)}
theme=${this.theme}
></desk-console>`:i?a?r`<desk-record .desk=${e} .kind=${i} recordId=${a}></desk-record>`:"opportunity"===i.type?r`<desk-board .desk=${e}></desk-board>`:"activity"===i.type?r`<desk-activities .desk=${e} view="list"></desk-activities>`:r`<desk-table .desk=${e} .kind=${i}></desk-table>`:r`<desk-dashboard .desk=${e} theme=${this.theme}></desk-dashboard>`}users(){return this.isLocal?r`<label class="row">
<span class="muted">Signed in as</span>
<select .value=${this.user} @change=${e=>this.signIn(e.target.value)}>
${mn.map(e=>r`<option value=${e} ?selected=${e===this.user}>${re(e)}</option>`)}
</select>
</label>`:l}get isLocal(){return null===this.token&&["localhost","127.0.0.1","[::1]"].includes(location.hostname)}signIn(e){localStorage.setItem(fn,e),location.reload()}async localToken(){let e=await fetch(`${this.api}/local/token?user=${encodeURIComponent(this.user)}&tenant=demo`);if(!e.ok)throw new Error("Nobody is signed in. Start the local server with `make run`.");return(await e.json()).token}async start(){this.error="",this.client??=p({api:this.api,token:this.source,door:"widget"});let e,t=this.client;try{e=await m(t.rest.GET("/api/ai/profile"))}catch(e){return void(this.error=oe(e))}let s=new nn(t);s.addEventListener("state",()=>this.requestUpdate()),this.desk={api:t,feed:s,profile:e,tell:(e,t=!1)=>this.tell(e,t),ask:e=>this.assistant?.ask(e),go:e=>this.go(e)},s.start()}go(e){location.hash=`#/${e}`}skip(e){e.preventDefault(),this.main?.focus()}setTheme(e){this.theme=e,localStorage.setItem(gn,e)}tell(e,t){this.told={text:e,isError:t},clearTimeout(this.timer),this.timer=setTimeout(()=>this.told=null,6e3)}};yn.styles=[y,b,xe,n`:host{display:grid;grid-template:auto minmax(0,1fr) / 208px minmax(0,1fr) auto;block-size:100dvh;overflow:hidden;background:var(--aisha-bg);font-family:var(--aisha-font);line-height:1.45}.skip{position:absolute;inset-inline-start:var(--aisha-2);inset-block-start:-60px;z-index:10;background:var(--aisha-raised);padding:var(--aisha-3)}.skip:focus{inset-block-start:var(--aisha-2)}.top{grid-column:1 / 3;display:flex;align-items:center;gap:var(--aisha-3);padding:var(--aisha-2) var(--aisha-4);border-block-end:1px solid var(--aisha-line)}.top strong{font-size:var(--aisha-text-m)}.top .end{margin-inline-start:auto}nav.pages{display:flex;flex-direction:column;gap:2px;padding:var(--aisha-3) var(--aisha-2);border-inline-end:1px solid var(--aisha-line);overflow-y:auto}nav.pages a{padding:9px 12px;border-radius:var(--aisha-radius-s);color:var(--aisha-muted);font-weight:600;text-decoration:none;white-space:nowrap}nav.pages a:hover{background:var(--aisha-hover);color:var(--aisha-ink)}nav.pages a[aria-current=page]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}nav.pages hr{inline-size:100%;border:0;border-block-start:1px solid var(--aisha-line)}main{overflow-y:auto;padding:var(--aisha-5);min-inline-size:0}aisha-assistant{grid-row:1 / 3;grid-column:3;inline-size:400px}aisha-assistant[minimised]{inline-size:0}.told{position:fixed;inset-block-start:var(--aisha-4);inset-inline-start:50%;transform:translate(-50%);z-index:6;max-inline-size:min(520px,calc(100vw - 32px));padding:var(--aisha-3) var(--aisha-4);background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius);box-shadow:var(--aisha-shadow)}.lost{color:var(--aisha-warn)}@media(max-width:1100px){:host{grid-template:auto auto minmax(0,1fr) / minmax(0,1fr)}.top,nav.pages,main{grid-column:1}nav.pages{flex-direction:row;padding:var(--aisha-1) var(--aisha-2);border-inline-end:0;border-block-end:1px solid var(--aisha-line);overflow-x:auto}nav.pages hr{display:none}main{padding:var(--aisha-4);padding-block-end:96px}aisha-assistant{grid-column:1;grid-row:3;inline-size:0;block-size:0}}`],E([d()],yn.prototype,"api",2),E([d({attribute:!1})],yn.prototype,"token",2),E([h()],yn.prototype,"desk",2),E([h()],yn.prototype,"error",2),E([h()],yn.prototype,"path",2),E([h()],yn.prototype,"user",2),E([h()],yn.prototype,"theme",2),E([h()],yn.prototype,"told",2),E([c("aisha-assistant")],yn.prototype,"assistant",2),E([c("main")],yn.prototype,"main",2),yn=E([g("aisha-desk")],yn);