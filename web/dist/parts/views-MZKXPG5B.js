/*! AiSHA, Apache-2.0; with lit, marked, DOMPurify, eventsource-parser: NOTICES.txt */
import{A as t,C as e,J as s,L as i,a,b as o,c as n,d as r,e as l,f as c,g as h,h as d,i as p,k as u,n as m,o as y,q as g,r as b,s as w,u as v,v as f,w as $}from"./chunk-N37ZOZZD.js";import{a as _}from"./chunk-DHP5BHIK.js";var x=["why_wrong","why_misread","why_incomplete","why_slow","why_other"],k=class extends r{constructor(){super(...arguments),this.isAsking=!1}render(){let{feedback:t}=this.message;return o`${this.thumb("up","good_answer","up")} ${this.thumb("down","bad_answer","thumbDown")}
${this.isAsking&&"down"===t?o`<div class="why" role="group" aria-label=${this.words.say("why_bad")}>
<span>${this.words.say("why_bad")}</span>
${x.map(t=>o`<button class="button" @click=${()=>this.rate("down",t)}>
${this.words.say(t)}
</button>`)}
</div>`:n}`}thumb(t,e,s){let i=this.words.say(e);return o`<button
class="icon-button small"
aria-label=${i}
title=${i}
aria-pressed=${this.message.feedback===t}
@click=${()=>this.rate(t)}
>
${b(s,15)}
</button>`}rate(t,e){this.isAsking="down"===t&&!e,this.actions.rate(this.message.key,t,e?.replace("why_","")),this.isAsking||this.actions.announce(this.words.say("thanks"))}};k.styles=[v,a`:host{display:contents}.why{order:9;inline-size:100%;display:flex;flex-wrap:wrap;align-items:center;gap:var(--aisha-2);padding:var(--aisha-2) 6px;border:0;margin:0;font-size:var(--aisha-text-s)}.why .button{min-block-size:28px;padding:2px 10px;font-weight:400;border-radius:14px}`],_([l({attribute:!1})],k.prototype,"message",2),_([l({attribute:!1})],k.prototype,"words",2),_([l({attribute:!1})],k.prototype,"actions",2),_([c()],k.prototype,"isAsking",2),k=_([m("aisha-feedback")],k);var T=a`.section{margin-block-start:var(--aisha-3)}.label{margin:0 0 var(--aisha-1);font-size:var(--aisha-text-xs);font-weight:600;color:var(--aisha-muted)}.chips{display:flex;flex-wrap:wrap;gap:var(--aisha-2);margin:0;padding:0;list-style:none}.chips li{max-inline-size:100%}.chip{display:inline-flex;align-items:center;gap:6px;max-inline-size:100%;min-block-size:28px;padding:3px 10px;font-size:var(--aisha-text-s);line-height:1.35;text-align:start;border:1px solid var(--aisha-line);border-radius:14px;background:var(--aisha-bg);transition:background var(--aisha-speed)}.chip:hover:not(:disabled){background:var(--aisha-hover)}.chip span{overflow:hidden;text-overflow:ellipsis;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow-wrap:anywhere}.chip svg{flex:none;color:var(--aisha-accent)}`,z=class extends r{constructor(){super(...arguments),this.busy=!1}render(){return o`${this.scans()}${this.followUps()}`}scans(){let{recommendedScans:t,steps:e}=this.message,s=new Set(e.map(t=>t.arguments.scan_type)),i=t.filter(t=>!s.has(t));return i.length?o`<div class="section">
<p class="label">${this.words.say("scans")}</p>
<ul class="chips">
${i.map(t=>{let e=this.words.named("scan_",t,t.replaceAll("_"," ")),s=this.words.say("run_scan_text",{name:e});return this.chip(s,b("search",14),()=>this.actions.runScan(t))})}
</ul>
</div>`:n}followUps(){let{followUps:t,confirmation:e,decision:s}=this.message;return!t.length||e&&!s?n:o`<div class="section">
<p class="label">${this.words.say("follow_ups")}</p>
<ul class="chips">
${t.map(({text:t,icon:e})=>this.chip(t,o`<span class="emoji" aria-hidden="true">${e}</span>`,()=>this.actions.send(t)))}
</ul>
</div>`}chip(t,e,s){return o`<li>
<button class="chip follow-up" ?disabled=${this.busy} @click=${s}>
${e}<span dir="auto">${t}</span>
</button>
</li>`}};z.styles=[v,T,a`.follow-up{border-color:var(--aisha-line-strong)}.emoji{font-size:14px}`],_([l({attribute:!1})],z.prototype,"message",2),_([l({attribute:!1})],z.prototype,"words",2),_([l({attribute:!1})],z.prototype,"actions",2),_([l({type:Boolean})],z.prototype,"busy",2),z=_([m("aisha-follow-ups")],z);var S=class extends r{constructor(){super(...arguments),this.current=null,this.items=null,this.cursor=null,this.failure="",this.search="",this.renaming=null,this.deleting=null,this.cancel=()=>{this.renaming=this.deleting=null,this.box.focus()},this.escape=t=>{"Escape"===t.key&&(t.stopPropagation(),this.cancel())}}firstUpdated(){i(this.box),this.load()}render(){let{words:t}=this;return o`<label class="search">
${b("search")}
<input
type="search"
maxlength="200"
aria-label=${t.say("search_conversations")}
placeholder=${t.say("search_conversations")}
@input=${this.typed}
/>
</label>
${this.failure?o`<aisha-notice .words=${t} .text=${this.failure} retryable @retry=${()=>this.load()}></aisha-notice>`:n}
${this.list()}
${this.cursor?o`<button class="button more" @click=${()=>this.load(this.cursor)}>${t.say("more")}</button>`:n}`}list(){return null===this.items?n:this.items.length?o`<ul aria-label=${this.words.say("history")}>
${this.items.map(t=>o`<li class=${t.id===this.current?"current":""}>${this.row(t)}</li>`)}
</ul>`:o`<p class="empty" role="status">
${this.words.say(this.search?"no_matches":"no_conversations")}
</p>`}row(t){let{words:e}=this,s=t.title||e.say("untitled");return this.renaming===t.id?o`<form @submit=${e=>this.rename(e,t)} @keydown=${this.escape}>
<input
name="title"
required
maxlength=${120}
.value=${t.title}
aria-label=${e.say("rename_label")}
dir="auto"
/>
<button class="button primary">${e.say("save")}</button>
<button class="button" type="button" @click=${this.cancel}>${e.say("cancel")}</button>
</form>`:this.deleting===t.id?o`<div
class="question"
role="alertdialog"
aria-label=${e.say("delete_question")}
@keydown=${this.escape}
>
<span>${e.say("delete_question")}</span>
<button class="button" @click=${this.cancel}>${e.say("cancel")}</button>
<button class="button danger" @click=${()=>this.discard(t)}>${e.say("delete")}</button>
</div>`:o`<button
class="open"
aria-current=${t.id===this.current?"true":n}
@click=${()=>this.tell("open",t.id)}
>
<span class="title" dir="auto">${s}</span>
<span class="when">${e.moment(new Date(t.updatedAt))}</span>
</button>
${this.tool("rename","edit",s,()=>this.ask("renaming",t.id))}
${this.tool("export","download",s,()=>this.export(t))}
${this.tool("delete","trash",s,()=>this.ask("deleting",t.id))}`}tool(t,e,s,i){let a=this.words.say(t);return o`<button class="icon-button small" aria-label="${a}: ${s}" title=${a} @click=${i}>
${b(e,15)}
</button>`}async ask(t,e){this.renaming=this.deleting=null,this[t]=e,await this.updateComplete,this.renderRoot.querySelector("form input, .question button")?.focus()}typed(){clearTimeout(this.timer),this.timer=setTimeout(()=>{this.search=this.box.value.trim(),this.load()},250)}async load(t=null){let{search:e}=this,s={limit:20,...e?{search:e}:{},...t?{cursor:t}:{}};await this.attempt(async()=>{let i=await u(this.api.rest.GET("/api/ai/conversations",{params:{query:s}}));e===this.search&&(this.items=t?[...this.items??[],...i.items]:i.items,this.cursor=i.nextCursor??null)})}async rename(t,e){t.preventDefault();let s=String(new FormData(t.target).get("title")).trim();s&&await this.attempt(async()=>{let t={path:{id:e.id}},i=await u(this.api.rest.PATCH("/api/ai/conversations/{id}",{params:t,body:{title:s}}));this.items=this.items.map(t=>t.id===e.id?i:t),this.cancel()})}async discard(t){await this.attempt(async()=>{await this.api.rest.DELETE("/api/ai/conversations/{id}",{params:{path:{id:t.id}}}),this.items=this.items.filter(e=>e.id!==t.id),this.cancel(),this.tell("removed",t.id)})}async export(t){await this.attempt(async()=>{let e=`/api/ai/conversations/${encodeURIComponent(t.id)}/export?format=markdown`,s=await this.api.fetch(e,{headers:{accept:"text/markdown"}}),i=document.createElement("a");i.href=URL.createObjectURL(await s.blob()),i.download=`${(t.title||this.words.say("untitled")).replace(/[^\p{L}\p{N} _-]+/gu,"").slice(0,80)}.md`,i.click(),setTimeout(()=>URL.revokeObjectURL(i.href),1e4)})}async attempt(t){this.failure="";try{await t()}catch(t){this.failure=y(p(t),this.words)}}tell(t,e){this.dispatchEvent(new CustomEvent(t,{detail:e}))}};S.styles=[v,a`:host{display:block;overflow-y:auto;padding:var(--aisha-4);scrollbar-width:thin}.search{position:relative;display:block}.search svg{position:absolute;inset-block-start:9px;inset-inline-start:10px;color:var(--aisha-muted)}input{inline-size:100%}.search input{padding-inline-start:36px}ul{margin:var(--aisha-3) 0;padding:0;list-style:none}li{display:flex;align-items:center;border-radius:var(--aisha-radius-s)}li:hover,li.current{background:var(--aisha-hover)}.open{flex:1;min-inline-size:0;padding:var(--aisha-2) var(--aisha-3);text-align:start}.title{display:block;font-size:var(--aisha-text-m);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.when,.empty{font-size:var(--aisha-text-xs);color:var(--aisha-muted)}.empty{margin-block:var(--aisha-6);text-align:center;font-size:var(--aisha-text-s)}form,.question{flex:1;display:flex;flex-wrap:wrap;align-items:center;gap:var(--aisha-2);padding:var(--aisha-2) var(--aisha-3);font-size:var(--aisha-text-s)}form input{flex:1 1 100%}.more{display:block;margin-inline:auto}`],_([l({attribute:!1})],S.prototype,"api",2),_([l({attribute:!1})],S.prototype,"words",2),_([l()],S.prototype,"current",2),_([c()],S.prototype,"items",2),_([c()],S.prototype,"cursor",2),_([c()],S.prototype,"failure",2),_([c()],S.prototype,"search",2),_([c()],S.prototype,"renaming",2),_([c()],S.prototype,"deleting",2),_([h(".search input")],S.prototype,"box",2),S=_([m("aisha-history")],S);var C=class{constructor(){this.audio=new AudioContext,this.analyser=this.audio.createAnalyser(),this.bins=new Uint8Array(new ArrayBuffer(64)),this.analyser.fftSize=128}listenTo(t){this.audio.createMediaStreamSource(t).connect(this.analyser)}playThrough(t){this.audio.resume().then(()=>{this.audio.createMediaElementSource(t).connect(this.analyser).connect(this.audio.destination)},()=>{})}level(){return this.analyser.getByteFrequencyData(this.bins),this.bins.reduce((t,e)=>t+e,0)/this.bins.length/255}close(){this.audio.close()}};function M(t){let e=t.slice(0,2).toLowerCase();return(globalThis.speechSynthesis?.getVoices()??[]).filter(t=>t.lang.toLowerCase().startsWith(e))}var A=class{constructor(t,e){this.api=t,this.showLevel=e,this.stopped=new AbortController,this.isBrowserOnly=!1}async say(t,e,s){this.stop(),this.stopped=new AbortController;let{signal:i}=this.stopped,a=performance.now(),o=()=>performance.now()-a;if(!this.isBrowserOnly)try{let s=JSON.stringify({text:t.slice(0,5e3),locale:e}),a={"content-type":"application/json"},n=await this.api.fetch("/api/ai/speech",{method:"POST",headers:a,body:s,signal:i});return await((t,e,s,i)=>{let a=URL.createObjectURL(t),o=new Audio(a),n=new C;n.playThrough(o);let r=0,l=()=>{i(n.level()),r=requestAnimationFrame(l)};return new Promise((t,i)=>{let a=0;o.onplaying=()=>a||=s(),o.onended=()=>t(a),o.onerror=()=>i(new Error("The audio can't be played.")),e.addEventListener("abort",()=>{o.pause(),t(a)}),o.play().catch(i),l()}).finally(()=>{cancelAnimationFrame(r),i(0),n.close(),URL.revokeObjectURL(a)})})(await n.blob(),i,o,this.showLevel)}catch(t){if(i.aborted)return o();this.isBrowserOnly=t instanceof d&&501===t.status}return((t,e,s,i,a)=>{let o=globalThis.speechSynthesis;return o?new Promise(n=>{let r=0,l=new SpeechSynthesisUtterance(t);l.lang=e,l.voice=M(e).find(t=>t.voiceURI===s)??null,l.onstart=()=>r=a(),l.onend=l.onerror=()=>n(r),i.addEventListener("abort",()=>{o.cancel(),n(r)}),o.speak(l)}):Promise.resolve(0)})(g(t),e,s,i,o)}stop(){this.stopped.abort()}},O=["midnight","light","system"],q=class extends r{constructor(){super(...arguments),this.mode=null,this.models=null,this.failure="",this.load=async()=>{await this.attempt(async()=>{let[t,e]=await Promise.all([u(this.api.rest.GET("/api/ai/mode")),u(this.api.rest.GET("/api/ai/models"))]);this.mode=t.mode,this.models=e})}}firstUpdated(){this.load()}render(){let{words:t,preferences:e}=this;return o`
${this.failure?o`<aisha-notice .words=${t} .text=${this.failure} retryable @retry=${this.load}></aisha-notice>`:n}
<fieldset>
<legend>${t.say("theme")}</legend>
<div class="options">
${O.map(s=>this.option("theme",s,t.say(`theme_${s}`),"",e.theme===s,()=>this.change({theme:s})))}
</div>
</fieldset>
${this.modes()} ${this.modelChoice()} ${this.voice()} ${this.callVoice()}
`}modes(){if(!this.mode||!this.models)return n;let{words:t}=this;return o`<fieldset>
<legend>${t.say("mode")}</legend>
<div class="options">
${Object.entries(this.models.modes).map(([e,s])=>this.option("mode",e,t.named("mode_",e,e),t.named("mode_about_",e,s),this.mode===e,()=>this.setMode(e)))}
</div>
</fieldset>`}option(t,e,s,i,a,r){return o`<label class="option">
<input type="radio" name=${t} value=${e} .checked=${a} @change=${r} />
<span>${s}${i?o`<small>${i}</small>`:n}</span>
</label>`}modelChoice(){if(!this.models)return n;let{words:t,preferences:e}=this;return o`<label class="field">
<span>${t.say("model")}</span>
<select @change=${t=>this.change({model:t.target.value})}>
<option value="">${t.say("model_default")}</option>
${this.models.providers.map(t=>o`<optgroup label=${t.name}>
${t.models.map(t=>{let s=`${t.provider}/${t.model}`;return o`<option value=${s} ?selected=${s===e.model}>${t.model}</option>`})}
</optgroup>`)}
</select>
</label>`}voice(){let{words:t,preferences:e}=this,s=M(t.locale);return o`<div class="field">
<span id="voice">${t.say("voice")}</span>
<label class="check">
<input
type="checkbox"
.checked=${e.isReadAloud}
@change=${t=>this.change({isReadAloud:t.target.checked})}
/>
${t.say("read_answers")}
</label>
${s.length?o`<select
aria-labelledby="voice"
@change=${t=>this.change({voice:t.target.value})}
>
<option value="">${t.say("voice_default")}</option>
${s.map(t=>o`<option value=${t.voiceURI} ?selected=${t.voiceURI===e.voice}>
${t.name}
</option>`)}
</select>`:n}
</div>`}callVoice(){let{words:t,preferences:e,models:s}=this;return s?.realtimeVoices.length?o`<label class="field">
<span>${t.say("call_voice")}</span>
<select @change=${t=>this.change({callVoice:t.target.value})}>
<option value="">${t.say("model_default")}</option>
${s.realtimeVoices.map(t=>o`<option value=${t} ?selected=${t===e.callVoice}>
${t[0].toUpperCase()+t.slice(1)}
</option>`)}
</select>
</label>`:n}async setMode(t){let e=this.mode;this.mode=t,await this.attempt(async()=>{await this.api.rest.POST("/api/ai/mode/{mode}",{params:{path:{mode:t}}})}),this.failure&&(this.mode=e)}async attempt(t){this.failure="";try{await t()}catch(t){this.failure=y(p(t),this.words)}}change(t){this.dispatchEvent(new CustomEvent("change",{detail:{...this.preferences,...t}}))}};q.styles=[v,a`:host{display:block;overflow-y:auto;padding:var(--aisha-4);font-size:var(--aisha-text-s);scrollbar-width:thin}fieldset,.field{display:block;margin:0 0 var(--aisha-5);padding:0;border:0}legend,.field>span{display:block;margin-block-end:var(--aisha-2);padding:0;font-weight:600}.options{display:grid;gap:var(--aisha-1)}.option,.check{display:flex;align-items:flex-start;gap:var(--aisha-2);padding:var(--aisha-2);border-radius:var(--aisha-radius-s);cursor:pointer;line-height:1.4}.option:hover,.check:hover{background:var(--aisha-hover)}.option small{display:block;font-size:var(--aisha-text-xs);color:var(--aisha-muted)}input[type=radio],input[type=checkbox]{min-block-size:0;inline-size:16px;block-size:16px;margin:1px 0 0;flex:none;accent-color:var(--aisha-accent-fill)}select{inline-size:100%}`],_([l({attribute:!1})],q.prototype,"api",2),_([l({attribute:!1})],q.prototype,"words",2),_([l({attribute:!1})],q.prototype,"preferences",2),_([c()],q.prototype,"mode",2),_([c()],q.prototype,"models",2),_([c()],q.prototype,"failure",2),q=_([m("aisha-settings")],q);var I=class extends r{constructor(){super(...arguments),this.hasAll=!1}render(){let{sources:t}=this.message,e=this.hasAll||t.length<=5?t:t.slice(0,4),s=t.length-e.length;return o`<div class="section">
<p class="label">${this.words.say("sources")}</p>
<ul class="chips">
${e.map(t=>o`<li>
<button
class="chip"
title=${t.description}
aria-label=${this.words.say("open_record",{type:this.words.named("type_",t.type,t.type),name:t.name})}
@click=${()=>this.actions.openRecord(t)}
>
${w(t.type)}<span dir="auto">${t.name}</span>
</button>
</li>`)}
${s?o`<li>
<button class="chip" @click=${()=>this.hasAll=!0}>${this.words.count("more",s)}</button>
</li>`:n}
</ul>
</div>`}};I.styles=[v,T],_([l({attribute:!1})],I.prototype,"message",2),_([l({attribute:!1})],I.prototype,"words",2),_([l({attribute:!1})],I.prototype,"actions",2),_([c()],I.prototype,"hasAll",2),I=_([m("aisha-sources")],I);var U={accept:"suggestion_done",dismiss:"suggestion_dismissed",snooze:"suggestion_snoozed"},E=class extends r{constructor(){super(...arguments),this.items=[],this.busy=null,this.failures=new Map}firstUpdated(){this.load()}render(){let{words:t}=this;if(!this.items.length)return n;let e=this.items.filter((t,e)=>this.items.findIndex(e=>e.entity.id===t.entity.id)===e).slice(0,3);return o`<h3>${t.say("open_suggestions")}</h3>
<ul>
${e.map(t=>o`<li>
${this.priority(t)}
<button class="record" @click=${()=>this.actions.openRecord(t.entity)}>
${w(t.entity.type)}<span dir="auto">${t.entity.name}</span>
</button>
<p dir="auto">${(({text:t,entity:e})=>{let s=`${e.name}: `;return t.startsWith(s)?t.slice(s.length):t})(t)}</p>
${this.failures.has(t.id)?o`<p class="failed" role="alert">${this.failures.get(t.id)}</p>`:n}
<div class="buttons">
${t.tool?this.button(t,"accept","suggestion_accept"):n}
${this.button(t,"snooze","suggestion_snooze")}
${this.button(t,"dismiss","suggestion_dismiss")}
</div>
</li>`)}
</ul>`}priority({priority:t}){if(t<7)return n;let e=t>=9;return o`<span class="priority ${e?"urgent":""}"
>${this.words.say(e?"urgent":"high")}</span
>`}button(t,e,s){return o`<button
class="button ${"accept"===e?"primary":""}"
aria-label="${this.words.say(s)}: ${t.entity.name}"
?disabled=${null!==this.busy}
@click=${()=>this.decide(t,e)}
>
${this.words.say(s)}
</button>`}async load(){try{let t={limit:12};this.items=(await u(this.api.rest.GET("/api/ai/suggestions",{params:{query:t}}))).suggestions}catch{this.items=[]}}async decide(t,e){this.busy=t.id,this.failures=new Map([...this.failures].filter(([e])=>e!==t.id));let s={path:{id:t.id}},{rest:i}=this.api;try{"dismiss"===e?await i.POST("/api/ai/suggestions/{id}/dismiss",{params:s}):"snooze"===e?await i.POST("/api/ai/suggestions/{id}/snooze",{params:s,body:{}}):await this.accept(t,await u(i.POST("/api/ai/suggestions/{id}/accept",{params:s,body:{}}))),this.items=this.items.filter(e=>e.id!==t.id),this.actions.announce(this.words.say(U[e])),this.items.length||await this.load()}catch(e){this.failures=new Map(this.failures).set(t.id,y(p(e),this.words))}finally{this.busy=null}}async accept(t,e){if(!e.success){let s=e.toolCall?.error?.message;throw new Error("string"==typeof s?s:t.text)}let{changes:i}=s(e.toolCall?.result);this.actions.changed(i)}};E.styles=[v,a`:host{display:block}h3{margin:var(--aisha-5) 0 var(--aisha-2);font-size:var(--aisha-text-s);font-weight:600}ul{display:grid;gap:var(--aisha-2);margin:0;padding:0;list-style:none}li{padding:var(--aisha-3);border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);font-size:var(--aisha-text-s);line-height:1.45}.record{display:inline-flex;align-items:center;gap:6px;max-inline-size:100%;font-weight:600;text-align:start;color:var(--aisha-accent);overflow-wrap:anywhere}.record svg{flex:none}.priority{float:inline-end;padding:1px 8px;font-size:var(--aisha-text-xs);color:var(--aisha-accent);background:var(--aisha-accent-soft);border-radius:10px}.urgent{color:var(--aisha-warn);background:var(--aisha-warn-soft)}p{margin:var(--aisha-1) 0 var(--aisha-2);overflow-wrap:anywhere}.failed{color:var(--aisha-danger)}.buttons{display:flex;flex-wrap:wrap;gap:var(--aisha-2)}.buttons .button{min-block-size:30px;padding:3px 12px}`],_([l({attribute:!1})],E.prototype,"api",2),_([l({attribute:!1})],E.prototype,"words",2),_([l({attribute:!1})],E.prototype,"actions",2),_([c()],E.prototype,"items",2),_([c()],E.prototype,"busy",2),_([c()],E.prototype,"failures",2),E=_([m("aisha-suggestions")],E);var D=class{constructor(t,e){this.api=t,this.host=e,this.conversationId=null,this.hasActed=!1,this.session=null,this.peer=new RTCPeerConnection,this.channel=null,this.microphone=null,this.player=new Audio,this.loudness=new C,this.utterance=null,this.moments=null,this.captions=new Map,this.openCalls=0,this.isOver=!1}async start(t,e){this.host.state("connecting");try{this.microphone=await navigator.mediaDevices.getUserMedia({audio:{echoCancellation:!0,noiseSuppression:!0}}).catch(()=>{throw new d(0,"microphone","")});let s={...t?{conversationId:t}:{},...e?{voice:e}:{}};this.session=await u(this.api.rest.GET("/api/ai/realtime",{params:{query:s}})),this.conversationId=this.session.conversationId,this.isOver||await this.connect(this.session)}catch(t){this.end(t instanceof d?t:new d(0,"unreachable",""))}}level(){return this.loudness.level()}mute(t){for(let e of this.microphone?.getTracks()??[])e.enabled=!t}tell(t){this.send({type:"conversation.item.create",item:{type:"message",role:"system",content:[{type:"input_text",text:t}]}}),this.send({type:"response.create"})}end(t=null){if(!this.isOver){this.isOver=!0;for(let t of this.microphone?.getTracks()??[])t.stop();this.channel?.close(),this.peer.close(),this.player.pause(),this.player.srcObject=null,this.loudness.close(),this.host.ended(t)}}async connect({url:t,clientSecret:e}){let{peer:s,microphone:i}=this;for(let t of i.getTracks())s.addTrack(t,i);this.loudness.listenTo(i),s.ontrack=({streams:[t]})=>{this.player.srcObject=t,this.player.play().catch(()=>{}),this.loudness.listenTo(t)},s.onconnectionstatechange=()=>["failed","closed"].includes(s.connectionState)&&this.end(new d(0,"call_lost","")),this.channel=s.createDataChannel("oai-events"),this.channel.onopen=()=>this.host.state("listening"),this.channel.onclose=()=>this.end(new d(0,"call_lost","")),this.channel.onmessage=({data:t})=>this.take(JSON.parse(String(t)));let a=await s.createOffer();await s.setLocalDescription(a);let o=await fetch(t,{method:"POST",body:a.sdp??"",headers:{authorization:`Bearer ${e.value}`,"content-type":"application/sdp"},credentials:"omit",referrerPolicy:"no-referrer"});if(!o.ok)throw new d(o.status,"call_lost","");await s.setRemoteDescription({type:"answer",sdp:await o.text()})}take(t){let{type:e,item_id:s="",delta:i="",transcript:a}=t;switch(e){case"input_audio_buffer.speech_started":return this.host.state("listening");case"input_audio_buffer.committed":return this.utterance=(t=>{let e,s=new Promise(t=>e=t);return{id:t,text:s,heard:e}})(s),this.moments={began:performance.now()},this.host.state("processing");case"conversation.item.input_audio_transcription.delta":return this.caption(s,"user",(this.captions.get(s)??"")+i);case"conversation.item.input_audio_transcription.completed":return this.utterance?.id===s&&this.utterance.heard(a??null),this.mark("recognised"),this.caption(s,"user",a??"");case"conversation.item.input_audio_transcription.failed":return void(this.utterance?.id===s&&this.utterance.heard(null));case"output_audio_buffer.started":return this.mark("sound");case"response.output_audio_transcript.delta":return this.mark("words"),this.host.state("speaking"),this.caption(s,"assistant",(this.captions.get(s)??"")+i);case"response.output_audio_transcript.done":return this.caption(s,"assistant",a??this.captions.get(s)??"");case"response.output_item.done":return void("function_call"===t.item?.type&&this.relay(t.item));case"response.done":if(this.openCalls)return;this.time(),this.host.state("listening")}}mark(t){this.moments&&(this.moments[t]??=performance.now()-this.moments.began)}time(){if(!this.moments)return;let{began:t,recognised:e,words:s,sound:i}=this.moments;this.moments=null;let a=void 0===i||void 0===s?void 0:Math.max(i-s,0);this.host.timed({sttMs:e,llmMs:s,ttsMs:a,totalMs:i??performance.now()-t})}caption(t,e,s){this.captions.set(t,s),this.host.caption(t,e,s)}async relay({name:t="",call_id:e="",arguments:i}){this.openCalls+=1,this.hasActed=!0,this.host.state("processing");let a,{utterance:o}=this,n=o&&await Promise.race([o.text,new Promise(t=>setTimeout(t,4e3,null))]),r=n?{userTranscript:n,userItemId:o.id}:{};try{let o={sessionId:this.session.sessionId,callId:e,name:t,arguments:i||"{}",...r},n={"Idempotency-Key":`${this.session.sessionId}:${e}`},l=await u(this.api.rest.POST("/api/ai/realtime/tools",{body:o,params:{header:n}}));a=l.output,(l.confirmation||["confirmed","cancelled"].includes(l.status))&&this.host.asked(l.confirmation??null),this.host.changed(s((t=>{try{return JSON.parse(t)}catch{return null}})(a)).changes)}catch(t){a=JSON.stringify({error:t instanceof d&&t.message?t.message:"The tool can't be reached."})}this.openCalls-=1,this.send({type:"conversation.item.create",item:{type:"function_call_output",call_id:e,output:a}}),this.openCalls||this.send({type:"response.create"})}send(t){"open"===this.channel?.readyState&&this.channel.send(JSON.stringify(t))}},P=class extends r{constructor(){super(...arguments),this.conversation=null,this.voice="",this.state="connecting",this.captions=new Map,this.question=null,this.timing=null,this.isMuted=!1,this.isDeciding=!1,this.call=null,this.frame=0,this.mute=()=>{this.isMuted=!this.isMuted,this.call?.mute(this.isMuted)},this.draw=()=>{this.mark?.style.setProperty("--level",(this.call?.level()??0).toFixed(2)),this.frame=requestAnimationFrame(this.draw)},this.decide=async(t,e,i)=>{let{id:a}=this.question.confirmation;this.isDeciding=!0;try{let t={decision:e,...void 0===i?{}:{choice:i}},o=await u(this.api.rest.POST("/api/ai/confirmations/{id}",{params:{path:{id:a}},body:t}));this.actions.changed(o.toolCalls.flatMap(t=>s(t.result).changes)),this.call?.tell(`The user decided by a button. ${o.response}`)}catch(t){this.call?.tell(y(p(t),this.words))}this.isDeciding=!1,this.question=null}}firstUpdated(){this.call=new D(this.api,{state:t=>this.state=t,caption:(t,e,s)=>this.captions=new Map(this.captions).set(t,{who:e,text:s}),asked:t=>{return this.question=t&&f({role:"assistant",confirmation:s=t,plan:e(s)});var s},changed:t=>this.actions.changed(t),timed:t=>this.timed(t),ended:t=>this.ended(t)}),this.call.start(this.conversation,this.voice),this.renderRoot.querySelector(".end")?.focus(),matchMedia("(prefers-reduced-motion: reduce)").matches||this.draw()}disconnectedCallback(){super.disconnectedCallback(),cancelAnimationFrame(this.frame),this.call?.end()}updated(){this.lines?.scrollTo({top:this.lines.scrollHeight})}render(){let{words:e,question:s}=this,i=[...this.captions.values()].filter(t=>t.text).slice(-4);return o`<div class="inner">
${i.length?o`<ul class="captions" aria-label=${e.say("captions")} tabindex="0">
${i.map(({who:t,text:e})=>o`<li class=${t} dir="auto">${e}</li>`)}
</ul>`:n}
${s?o`<aisha-confirmation
.message=${s}
.names=${t(s.entities)}
.words=${e}
.actions=${{...this.actions,decide:this.decide,expire:()=>this.question=null}}
?busy=${this.isDeciding}
></aisha-confirmation>`:n}
<div class="row">
<span class="mark" aria-hidden="true">${b("speaking"===this.state?"speak":"mic",22)}</span>
<span class="state ${this.isMuted?"muted":""}" role="status"
>${e.say(this.isMuted?"call_muted":"connecting"===this.state?"call_connecting":`state_${this.state}`)}</span
>
${this.timing?o`<span class="time">${e.say("timing",{total:e.seconds(this.timing.totalMs)})}</span>`:n}
<button
class="icon-button"
aria-label=${e.say("call_mute")}
title=${e.say("call_mute")}
aria-pressed=${this.isMuted}
@click=${this.mute}
>
${b(this.isMuted?"mute":"mic")}
</button>
<button class="button danger end" @click=${()=>this.call?.end()}>${e.say("call_end")}</button>
</div>
</div>`}timed(t){this.timing=t,this.api.rest.POST("/api/ai/analytics",{body:{commandName:"voice_turn",commandType:"voice",success:!0,executionTimeMs:t.totalMs,timing:t}}).catch(()=>{})}ended(t){cancelAnimationFrame(this.frame);let e={conversationId:this.call?.hasActed?this.call.conversationId:null,problem:t?y(t,this.words):""};this.dispatchEvent(new CustomEvent("ended",{detail:e}))}};P.styles=[v,a`:host{display:block;padding:var(--aisha-3) var(--aisha-4);border-block-start:1px solid var(--aisha-line);background:var(--aisha-raised)}.inner{max-inline-size:760px;margin-inline:auto}.row{display:flex;align-items:center;gap:var(--aisha-3)}.mark{flex:none;display:grid;place-items:center;inline-size:44px;block-size:44px;border-radius:50%;color:var(--aisha-on-accent);background:var(--aisha-accent-fill);box-shadow:0 0 0 calc(var(--level, 0) * 18px) var(--aisha-accent-soft)}.state{flex:1;min-inline-size:0;font-size:var(--aisha-text-s);color:var(--aisha-muted)}.muted{color:var(--aisha-warn)}.time{font-size:var(--aisha-text-xs);color:var(--aisha-muted)}.captions{display:grid;gap:var(--aisha-1);max-block-size:168px;margin:0 0 var(--aisha-3);padding:0;overflow-y:auto;list-style:none;overflow-wrap:anywhere;font-size:var(--aisha-text-m)}.user{color:var(--aisha-muted);font-size:var(--aisha-text-s)}`],_([l({attribute:!1})],P.prototype,"api",2),_([l({attribute:!1})],P.prototype,"words",2),_([l({attribute:!1})],P.prototype,"actions",2),_([l({attribute:!1})],P.prototype,"conversation",2),_([l()],P.prototype,"voice",2),_([c()],P.prototype,"state",2),_([c()],P.prototype,"captions",2),_([c()],P.prototype,"question",2),_([c()],P.prototype,"timing",2),_([c()],P.prototype,"isMuted",2),_([c()],P.prototype,"isDeciding",2),_([h(".mark")],P.prototype,"mark",2),_([h(".captions")],P.prototype,"lines",2),P=_([m("aisha-voice")],P),$({search_conversations:"Search conversations",no_conversations:"No conversations yet.",no_matches:"No conversation has these words.",more:"Show more",rename:"Rename",rename_label:"New name of the conversation",save:"Save",cancel:"Cancel",delete_question:"Delete this conversation for good?",export:"Save as a file",untitled:"Conversation",theme:"Appearance",theme_midnight:"Midnight",theme_light:"Light",theme_system:"Follow the system",mode:"How I answer",mode_default:"Balanced",mode_about_default:"Complete answers of the usual length.",mode_brief:"Brief",mode_about_brief:"Two sentences at most.",mode_coach:"Coach",mode_about_coach:"Explains its reasons and asks a question that helps you on.",mode_voice:"For listening",mode_about_voice:"Short, without lists or tables.",model:"Model",model_default:"The usual one",voice:"Voice",voice_default:"The browser’s choice",call_mute:"Mute the microphone",call_muted:"The microphone is off",call_end:"End",call_connecting:"Connecting…",captions:"Captions",error_call_lost:"The spoken conversation broke off. Begin it again, or type.",call_voice:"Voice in spoken conversations",open_suggestions:"Waiting for you",suggestion_accept:"Do it",suggestion_dismiss:"Dismiss",suggestion_snooze:"Tomorrow",suggestion_done:"Done.",suggestion_dismissed:"Dismissed.",suggestion_snoozed:"I’ll bring it up again tomorrow.",high:"High",urgent:"Urgent",good_answer:"Good answer",bad_answer:"Bad answer",why_bad:"What was wrong?",why_wrong:"It is not true",why_misread:"It misunderstood me",why_incomplete:"Something is missing",why_slow:"It took too long",why_other:"Something else",thanks:"Thank you.",scan_data_quality:"data quality",scan_deals_at_risk:"deals at risk",scan_goal_progress:"goal progress",scan_next_steps:"next steps",scan_overdue_activities:"overdue activities",scan_stale_leads:"stale leads",sources:"Based on",scans:"Scans that fit",run_scan_text:"Run the {name} scan",follow_ups:"You could ask",more_one:"{count} more",more_other:"{count} more"});export{A as Speech};