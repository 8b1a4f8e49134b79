/*! AiSHA, Apache-2.0; with lit, marked, DOMPurify, eventsource-parser: NOTICES.txt */
import{A as e,B as t,C as s,D as i,F as a,G as n,H as r,I as l,J as o,a as d,b as h,c,d as u,e as p,f as m,g,h as f,i as v,j as y,k as b,l as w,m as k,n as $,o as x,p as _,q as S,r as T,s as z,u as E,v as C,w as M,x as A,y as D,z as L}from"./parts/chunk-6Y5UXH2B.js";import{a as O}from"./parts/chunk-DHP5BHIK.js";var N=class extends u{constructor(){super(...arguments),this.earlier=[],this.placeholder="",this.heard="",this.editing="",this.busy=!1,this.listening=!1,this.voice=!1,this.planning=!1,this.calls=!1,this.text="",this.recalled=-1,this.draft=null}fill(e){this.text=e,this.area.value=e,this.fit()}edit(e){this.draft??=this.text,this.fill(e),this.area.focus(),this.area.setSelectionRange(e.length,e.length)}updated(e){e.has("editing")&&!this.editing&&null!==this.draft&&(this.fill(this.draft),this.draft=null),this.listening&&this.area.value!==this.heard&&(this.area.value=this.heard,this.fit())}render(){let{words:e}=this,t=this.text.length-8e3;return h`${this.editing?this.change():c}
<div class="box ${this.listening?"listening":""}">
<textarea
rows="1"
dir="auto"
enterkeyhint="send"
aria-label=${e.say("message_box")}
aria-describedby="hint editing"
placeholder=${this.listening?e.say("placeholder_listening"):this.placeholder}
?readonly=${this.listening}
@input=${this.typed}
@keydown=${this.pressed}
></textarea>
<span id="hint" class="hidden-text">${e.say("keys_hint")}</span>
${this.plan()} ${this.voice?this.microphone():c} ${this.calls&&!this.text?this.call():c}
${this.busy?h`<button
class="icon-button send"
aria-label=${e.say("stop")}
title=${e.say("stop")}
@click=${this.stop}
>
${x("stop",16)}
</button>`:h`<button
class="icon-button send"
aria-label=${e.say("send")}
title=${e.say("send")}
?disabled=${!this.text.trim()||t>0||this.listening}
@click=${this.send}
>
${x("send")}
</button>`}
</div>
${t>0?h`<p class="problem" role="alert">${e.say("too_long",{count:e.number(t)})}</p>`:c}`}change(){let e=this.words.say("stop_editing");return h`<div class="editing">
${x("edit",15)}
<span id="editing">${this.editing}</span>
<button class="icon-button small" aria-label=${e} title=${e} @click=${this.leave}>
${x("close",15)}
</button>
</div>`}call(){let e=this.words.say("call");return h`<button
class="icon-button"
aria-label=${e}
title=${e}
?disabled=${this.busy||this.listening}
@click=${()=>this.tell("call")}
>
${x("call")}
</button>`}plan(){let e=this.words.say("plan_first");return h`<button
class="icon-button plan"
aria-label=${e}
title="${e}: ${this.words.say("plan_about")}"
aria-pressed=${this.planning}
@click=${()=>this.tell("plan")}
>
${x("plan")}
</button>`}microphone(){let e=this.words.say(this.listening?"talking":"talk");return h`<button
class="icon-button mic"
aria-label=${e}
title=${e}
aria-pressed=${this.listening}
?disabled=${this.busy}
@pointerdown=${e=>0===e.button&&this.tell("talk")}
@pointerup=${()=>this.tell("release")}
@pointercancel=${()=>this.tell("release")}
@lostpointercapture=${()=>this.listening&&this.tell("release")}
@keydown=${e=>P(e)&&!e.repeat&&this.tell("talk")}
@keyup=${e=>P(e)&&this.tell("release")}
@contextmenu=${e=>e.preventDefault()}
>
${x("mic")}
</button>`}typed(){this.text=this.area.value,this.recalled=-1,this.fit()}pressed(e){e.isComposing||("Enter"!==e.key||e.shiftKey||e.altKey?"Escape"===e.key&&this.editing?this.leave():("ArrowUp"===e.key&&!this.text||this.recalled>=0&&/^Arrow(Up|Down)$/.test(e.key))&&this.recall(e):(e.preventDefault(),this.send()))}recall(e){let t=this.recalled+("ArrowUp"===e.key?1:-1);t>=this.earlier.length||(e.preventDefault(),this.fill(t<0?"":this.earlier[t]),this.recalled=t,this.area.setSelectionRange(this.text.length,this.text.length))}send(){let e=this.text.trim();!e||this.busy||e.length>8e3||(this.fill(""),this.recalled=-1,this.tell("send",e))}leave(){this.tell("cancel"),this.area.focus()}stop(){this.tell("stop"),this.area.focus()}fit(){this.area.style.height="auto",this.area.style.height=`${Math.min(this.area.scrollHeight,180)}px`}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t}))}};function P(e){return" "===e.key||"Enter"===e.key}N.shadowRootOptions={...u.shadowRootOptions,delegatesFocus:!0},N.styles=[T,d`:host{display:block;padding:var(--aisha-2) var(--aisha-4) var(--aisha-3)}.box{display:flex;align-items:flex-end;gap:var(--aisha-1);max-inline-size:760px;margin-inline:auto;padding:5px;background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius-l)}.box:focus-within{border-color:var(--aisha-accent);box-shadow:0 0 0 1px var(--aisha-accent)}.box.listening{border-color:var(--aisha-danger)}textarea{flex:1;min-inline-size:0;min-block-size:36px;max-block-size:180px;padding:7px var(--aisha-2);line-height:22px;font-size:var(--aisha-text-m);resize:none;border:0;outline:0;background:none;scrollbar-width:thin;overflow-wrap:anywhere}textarea::placeholder{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}textarea:focus-visible{outline:none}.send{background:var(--aisha-accent-fill);color:var(--aisha-on-accent);border-radius:11px}.send:hover:not(:disabled){background:var(--aisha-accent-fill);color:var(--aisha-on-accent);filter:brightness(1.1)}.send:disabled{background:var(--aisha-hover);color:var(--aisha-muted);opacity:1}.plan[aria-pressed=true]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}.mic[aria-pressed=true]{background:var(--aisha-danger-fill);color:#fff}.editing{display:flex;align-items:center;gap:var(--aisha-2);max-inline-size:760px;margin:0 auto var(--aisha-1);padding-inline-start:var(--aisha-2);font-size:var(--aisha-text-s);color:var(--aisha-muted)}.editing svg{flex:none}.editing span{flex:1}.problem{max-inline-size:760px;margin:var(--aisha-1) auto 0;padding-inline:var(--aisha-2);font-size:var(--aisha-text-xs);color:var(--aisha-danger)}`],O([p({attribute:!1})],N.prototype,"words",2),O([p({attribute:!1})],N.prototype,"earlier",2),O([p()],N.prototype,"placeholder",2),O([p()],N.prototype,"heard",2),O([p()],N.prototype,"editing",2),O([p({type:Boolean})],N.prototype,"busy",2),O([p({type:Boolean})],N.prototype,"listening",2),O([p({type:Boolean})],N.prototype,"voice",2),O([p({type:Boolean})],N.prototype,"planning",2),O([p({type:Boolean})],N.prototype,"calls",2),O([m()],N.prototype,"text",2),O([g("textarea")],N.prototype,"area",2),N=O([$("aisha-composer")],N);var U="/api/ai/flow-chat",R=new Set([404,409,410]),I=class{constructor(e){this.host=e,this.id=null,this.title="",this.messages=[],this.entities=[],this.mood=null,this.phase="idle",this.isLoading=!1,this.loadError=null,this.running=null,this.sent=new Map}get pending(){let e=this.messages.findLast(e=>"assistant"===e.role);return e?.confirmation&&!e.decision?e:null}get spoken(){return this.messages.filter(e=>"user"===e.role).map(e=>e.text).reverse()}get editable(){let e=this.messages.at(-2);return"idle"===this.phase&&"user"===e?.role?e:null}isReplaceable(e){let{editable:t}=this;return t?.key===e&&(this.messages.at(-1)?.isReplaceable??!1)}async send(e,t=null){let s=e.trim();if(!s||"idle"!==this.phase)return;let i=null!==t&&this.isReplaceable(t)?this.messages.slice(-2):[],a=i[1]?.id,n=z({role:"assistant",state:"streaming"});this.settlePending(),this.messages=[...this.messages,z({role:"user",text:s}),n];let r=this.host.isPlanning()?U:"/api/ai/chat",l={...this.body(),message:s,...a?{replaces:a}:{}};await this.run(n.key,{path:r,body:l,key:w(),replaced:i})}async answerAgain(e){let{editable:t}=this;t&&this.messages.at(-1)?.key===e&&await this.send(t.text,t.key)}async retry(e){let t=this.sent.get(e);if(!t||"idle"!==this.phase)return;let s="invalid_input"===this.find(e)?.error?.code;this.patch(e,{state:"streaming",error:null,at:new Date}),t.asked&&this.patch(t.asked.key,{decision:t.body.userConfirmation?"approved":"rejected"}),await this.run(e,s?{...t,key:w()}:t)}stop(){this.running?.abort(new DOMException("stopped","AbortError"))}async decide(e,t,s=null){let i=this.find(e);if(!i?.confirmation||i.decision||"idle"!==this.phase)return;let{id:a}=i.confirmation,n=z({role:"assistant",state:"streaming"}),r="approve"===t;this.patch(e,{decision:r?"approved":"rejected",plan:L(i.confirmation,s),followUps:[]}),this.messages=[...this.messages,n],await this.run(n.key,{path:U,body:{...this.host.request(),userConfirmation:r,confirmationId:a,...null===s?{}:{choice:s}},key:`${a}:${t}:${G(s??"")}`,asked:i,replaced:[]})}async undo(e){let t=this.find(e);if(!t?.changes.length||t.undo)return;this.patch(e,{undo:"running"});let{rest:s}=this.host.api,i=[],a=null;try{let e=new Set(t.changes.map(e=>e.id)),n=(await b(s.GET("/api/crm/changes"))).items.filter(t=>t.isOwn&&t.operation&&e.has(t.entity.id)).reverse(),r=new Set(n.slice(0,t.changes.length).map(e=>e.operation));for(let e of r){let{receipts:t}=await b(s.POST("/api/ai/undo",{body:{operation:e},params:F(e)}));i.push(...t.map(({action:e,entity:t})=>({action:e,...t})))}i.length||(a=new f(404,"nothing_to_undo",""))}catch(e){a=v(e)}this.patch(e,{undo:a?null:"done"}),i.length&&this.host.recordsChanged(i);let n=z({role:"system",changes:i,error:a});this.messages=[...this.messages,n],this.host.changed(),this.host.answered(n)}expire(e){this.find(e)?.decision||this.patch(e,{decision:"expired",followUps:[]})}clear(){this.stop(),this.sent.clear(),Object.assign(this,{id:null,title:"",messages:[],entities:[],mood:null,loadError:null}),this.host.kept(null),this.host.changed()}async open(e){this.stop(),this.sent.clear(),Object.assign(this,{id:e,title:"",messages:[],entities:[],mood:null,loadError:null,isLoading:!0}),this.host.changed();try{let t=await this.load(e);if(this.id!==e)return;this.title=t.title,this.entities=t.entities,this.messages=(e=>{let t=e.messages.filter(e=>"user"===e.role||"assistant"===e.role).map(j),s=t.at(-1);if(e.confirmation&&"assistant"===s?.role){let{confirmation:i,entities:a}=e;t[t.length-1]={...s,confirmation:i,plan:L(i),entities:a}}return t})(t),this.mood=this.messages.findLast(e=>e.mood)?.mood??null,this.host.kept(e)}catch(t){if(this.id!==e)return;let s=v(t);404===s.status?this.clear():this.loadError=s}finally{(this.id===e||null===this.id)&&(this.isLoading=!1),this.host.changed()}}patch(e,t){this.messages=this.messages.map(s=>s.key===e?{...s,...t}:s),this.host.changed()}find(e){return this.messages.find(t=>t.key===e)}body(){return{...this.host.request(),...this.id?{conversationId:this.id}:{}}}async run(e,t){this.sent.set(e,t),this.hide(t.replaced);let{signal:i}=this.begin();try{for await(let a of k(this.host.api,t.path,t.body,t.key,i)){"start"===a.type&&this.begun(a.messageMetadata.conversationId),this.followPlan(t,a);let[i,n]=s(this.find(e),a,performance.now());this.replace(i),this.take(n)}this.finish(e)}catch(s){i.aborted?(this.patch(e,{state:"stopped",...W(this.find(e))}),this.endPlan(t),this.showAgain(t.replaced,e)):this.fail(e,v(s),t)}finally{this.end()}let a=this.find(e)?.needs;a&&!i.aborted&&await this.answerNeeds(e,a,t)}async answerNeeds(e,t,s){if(s.body.attachedData||s.body.clientSections)return;let i=await this.host.provide(t).catch(()=>null);if(!i||"idle"!==this.phase)return;let a={...s.body,...this.body(),...i,replaces:null};this.patch(e,{needs:null,text:"",state:"streaming"}),await this.run(e,{path:s.path,body:a,key:w(),replaced:[]})}followPlan({asked:t},s){let i=t&&this.find(t.key)?.plan;i&&this.patch(t.key,{plan:e(i,s)})}endPlan({asked:e}){let s=e&&this.find(e.key)?.plan;s&&this.patch(e.key,{plan:t(s)})}begin(){return this.running=new AbortController,this.phase="processing",this.host.changed(),this.running}end(){this.running=null,this.phase="idle",this.host.changed()}begun(e){this.id!==e&&(this.id=e,this.host.kept(e))}finish(e){let t=this.find(e);this.patch(e,{state:"done",at:new Date}),t.entities.length&&(this.entities=t.entities),t.mood&&(this.mood=t.mood),t.confirmation&&this.host.confirmationNeeded(t.confirmation),this.host.answered(this.find(e))}fail(e,t,s){let{asked:i}=s;if(this.patch(e,{state:"failed",error:t,...W(this.find(e))}),i){let e=R.has(t.status);this.patch(i.key,e?{decision:"settled"}:{decision:null,followUps:i.followUps}),this.endPlan(s)}this.showAgain(s.replaced,e),this.host.answered(this.find(e))}hide(e){let t=new Set(e.map(e=>e.key));this.messages=this.messages.filter(e=>!t.has(e.key))}showAgain(e,t){let s=this.messages.findIndex(e=>e.key===t)-1;this.messages=this.messages.toSpliced(s,0,...e)}take(e){e.changes.length&&this.host.recordsChanged(e.changes),e.navigation&&this.host.navigated(e.navigation)}replace(e){this.messages=this.messages.map(t=>t.key===e.key?e:t),this.host.changed()}settlePending(){let{pending:e}=this;e&&(this.messages=this.messages.map(t=>t===e?{...t,decision:"settled"}:t))}async load(e){let t,s;for(let i=0;i<20;i+=1){let i=await b(this.host.api.rest.GET("/api/ai/conversations/{id}",{params:{path:{id:e},query:{limit:50,...t?{cursor:t}:{}}}}));if(s=s?{...i,messages:[...s.messages,...i.messages]}:i,t=i.nextCursor??void 0,!t)break}return s}};function j(e){let t=e.metadata;return z({id:e.id,role:e.role,text:e.content,at:new Date(e.createdAt),state:e.finished?"done":"unfinished",isReplaceable:t?.isReplaceable??!1,steps:e.toolCalls.map(q),sources:t?.sources??[],insights:t?.insights??[],nextSteps:t?.nextSteps??[],recommendedScans:t?.recommendedScans??[],followUps:t?.followUps??[],mood:t?.mood??null})}function q(e){return{id:e.id,tool:e.name,arguments:e.arguments??{},state:"executed"===e.status?"done":"pending"===e.status?"waiting":"failed",startedAt:0,durationMs:null,outcome:e.line}}function W(e){return e?{steps:i(e).steps}:{}}function F(e){return{header:{"Idempotency-Key":`undo:${e}`}}}function G(e){let t=0;for(let s of e)t=Math.imul(t,31)+s.codePointAt(0)|0;return(t>>>0).toString(36)}var Y=class extends u{constructor(){super(...arguments),this.mood=null,this.name="",this.state="idle",this.view="chat",this.minimisable=!1,this.fresh=!1,this.aloud=!1}render(){let{words:e,mood:t}=this;return h`
<span class="mark" aria-hidden="true">${this.name.slice(0,1)}</span>
<div class="who">
<h2>${this.name}</h2>
<p>
<span class="light ${this.state}" aria-hidden="true"></span>
<span>${e.say(`state_${this.state}`)}</span>
${t?this.moodMark(t):c}
</p>
</div>
${this.sound()} ${this.button("new_conversation","plus",()=>this.tell("clear"),void 0,this.fresh)}
${this.button("history","history",()=>this.show("history"),"history"===this.view)}
${this.button("settings","settings",()=>this.show("settings"),"settings"===this.view)}
${this.minimisable?this.button("minimise","minimise",()=>this.tell("minimise")):c}
`}moodMark(e){let t=this.words.say("mood",{mood:this.words.named("mood_",e.sentiment,e.sentiment)});return h`<span role="img" aria-label=${t} title=${t}>${e.emoji}</span>`}button(e,t,s,i,a=!1){let n=this.words.say(e);return h`<button
class="icon-button"
aria-label=${n}
title=${n}
aria-expanded=${i??c}
?disabled=${a}
@click=${s}
>
${x(t)}
</button>`}sound(){let e=this.words.say("read_answers");return h`<button
class="icon-button"
aria-label=${e}
title=${this.aloud?this.words.say("mute"):e}
aria-pressed=${this.aloud}
@click=${()=>this.tell("sound")}
>
${x(this.aloud?"speak":"mute")}
</button>`}show(e){this.dispatchEvent(new CustomEvent("view",{detail:this.view===e?"chat":e}))}tell(e){this.dispatchEvent(new CustomEvent(e))}};Y.styles=[T,d`:host{display:flex;align-items:center;gap:var(--aisha-1);min-block-size:56px;padding:var(--aisha-2) var(--aisha-3) var(--aisha-2) var(--aisha-4);padding-inline:var(--aisha-4) var(--aisha-2);border-block-end:1px solid var(--aisha-line)}.mark{position:relative;display:grid;place-items:center;inline-size:32px;block-size:32px;flex:none;margin-inline-end:var(--aisha-2);border-radius:10px;background:var(--aisha-accent-fill);color:var(--aisha-on-accent);font-weight:700}.who{flex:1;min-inline-size:0;line-height:1.3}h2{margin:0;font-size:var(--aisha-text-m);font-weight:650;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}p{display:flex;align-items:center;gap:6px;margin:0;white-space:nowrap;font-size:var(--aisha-text-xs);color:var(--aisha-muted)}.light{inline-size:8px;block-size:8px;border-radius:50%;background:var(--aisha-good)}.light.processing,.light.listening,.light.speaking{background:var(--aisha-accent);animation:pulse 1.2s ease-in-out infinite}.light.error{background:var(--aisha-danger)}.light.offline{background:var(--aisha-warn)}@keyframes pulse{50%{opacity:.35}}`],O([p({attribute:!1})],Y.prototype,"words",2),O([p({attribute:!1})],Y.prototype,"mood",2),O([p()],Y.prototype,"name",2),O([p()],Y.prototype,"state",2),O([p()],Y.prototype,"view",2),O([p({type:Boolean})],Y.prototype,"minimisable",2),O([p({type:Boolean})],Y.prototype,"fresh",2),O([p({type:Boolean})],Y.prototype,"aloud",2),Y=O([$("aisha-header")],Y);var B="aisha.";function H(e){try{return localStorage.getItem(B+e)}catch{return null}}function V(e,t){try{null===t?localStorage.removeItem(B+e):localStorage.setItem(B+e,t)}catch{}}var K={"not-allowed":"microphone","service-not-allowed":"microphone","audio-capture":"microphone","no-speech":"no_speech",network:"unreachable"};function J(){let e=globalThis;return e.SpeechRecognition??e.webkitSpeechRecognition}var Z=class{constructor(e,t){this.recogniser=new(J()),Object.assign(this.recogniser,{lang:e,continuous:!0,interimResults:!0}),this.heard=new Promise(e=>{let s="",i=null;this.recogniser.addEventListener("result",e=>{let{results:i}=e;s=Array.from(i,e=>e[0].transcript).join(" ").replace(/\s+/g," ").trim(),t(s)}),this.recogniser.addEventListener("error",e=>{i={problem:K[e.error]??"no_speech"}}),this.recogniser.addEventListener("end",()=>e(s?{text:s}:i??{problem:"no_speech"}))}),this.recogniser.start()}finish(){this.recogniser.stop()}},X=class{constructor(e,t){this.panel=e,this.host=t,this.canListen=void 0!==J(),this.heard="",this.speaking=null,this.problem="",this.listening=null,this.talk=async()=>{if(this.listening)return;this.stop(),this.show({problem:"",heard:""});let e=this.host.words();try{this.listening=new Z(e.locale,e=>this.show({heard:e}))}catch{return void this.tell(e.say("error_microphone"))}this.panel.requestUpdate();let t=await this.listening.heard;this.listening=null,this.show({heard:""}),this.host.said("text"in t?t.text:""),"problem"in t&&this.tell(e.say(`error_${t.problem}`))},this.finish=()=>this.listening?.finish(),e.addController(this)}hostDisconnected(){this.stop()}get isListening(){return null!==this.listening}stop(){this.speech?.stop(),this.show({speaking:null})}restart(){this.stop(),this.speech=void 0}tell(e){this.show({problem:e})}async read(e,t){let s=this.speaking===e;this.stop();let i=this.host.textOf(e);if(s||!i)return;this.show({speaking:e});try{this.speech??=new((await import("./parts/views-XVGZLKI5.js")).Speech)(this.host.api())}catch{return void this.show({speaking:null,problem:this.host.words().say("error_unreachable")})}if(this.speaking!==e)return;let a=await this.speech.say(i,this.host.words().locale,t);this.speaking===e&&this.show({speaking:null}),this.host.timed(e,a)}show(e){Object.assign(this,e),this.panel.requestUpdate()}},Q=["search","get","list","create","update","delete"];function ee(e,t){let s=t.named("does_",e,"");if(s)return s;let[i,...a]=e.split("_"),n=Q.find(e=>e===i);if(!n||!a.length)return M(e);let r=a.join("_");return t.say(`tool_${n}`,{what:t.named("types_",r,t.named("type_",r,M(r).toLowerCase()))})}var te=class extends u{constructor(){super(...arguments),this.steps=[],this.names=new Map}render(){if(!this.steps.length)return c;let e=this.steps.reduce((e,t)=>e+(t.durationMs??0),0);return h`<details>
<summary>
<span dir="auto"
>${this.words.count("steps",this.steps.length)}${e?h` · ${this.words.seconds(e)}`:c}</span
>
<span class="chevron">${x("chevron",14)}</span>
</summary>
<ol>
${this.steps.map(e=>this.step(e))}
</ol>
</details>`}step(e){let t=/^\d+$/.test(e.outcome)?this.words.count("found",Number(e.outcome)):e.outcome;return h`<li>
<details>
<summary>
<span class="state ${e.state}">${this.mark(e.state)}</span>
<span dir="auto">${ee(e.tool,this.words)}${t?h` · ${t}`:c}</span>
<span class="time" dir="auto"
>${null===e.durationMs?c:this.words.seconds(e.durationMs)}</span
>
</summary>
${D(e.arguments,this.names,this.words)}
</details>
</li>`}mark(e){let t=h`<span class="hidden-text">${this.words.say(`step_${e}`)}</span>`;return"running"===e?h`<span class="spinner"></span>${t}`:h`${x("done"===e?"check":"failed"===e?"close":"clock",14)}${t}`}};te.styles=[T,d`:host{display:block;font-size:var(--aisha-text-s);color:var(--aisha-muted)}summary{display:inline-flex;align-items:center;gap:var(--aisha-1);min-block-size:24px;cursor:pointer;list-style:none;border-radius:var(--aisha-radius-s)}summary::-webkit-details-marker{display:none}summary:hover{color:var(--aisha-ink)}summary>.chevron svg{display:block;transition:transform var(--aisha-speed)}details[open]>summary>.chevron svg{transform:rotate(180deg)}ol{list-style:none;margin:var(--aisha-1) 0 var(--aisha-2);padding:0 0 0 var(--aisha-3);padding-inline:var(--aisha-3) 0;border-inline-start:2px solid var(--aisha-line)}li>details>summary{display:flex}.time{margin-inline-start:auto;font-variant-numeric:tabular-nums;font-size:var(--aisha-text-xs)}.state{display:inline-grid;place-items:center;inline-size:18px;flex:none}.done{color:var(--aisha-good)}.failed{color:var(--aisha-danger)}.waiting{color:var(--aisha-warn)}.spinner{inline-size:12px;block-size:12px;border:2px solid var(--aisha-line-strong);border-block-start-color:var(--aisha-accent);border-radius:50%;animation:turn .9s linear infinite}@keyframes turn{to{transform:rotate(1turn)}}.arguments,.none{margin:0 0 var(--aisha-2) 22px;margin-inline:22px 0;font-size:var(--aisha-text-xs);overflow-wrap:anywhere}.arguments>div{display:flex;gap:var(--aisha-2)}dt:after{content:":"}dd{margin:0;color:var(--aisha-ink);min-inline-size:0}dd ul{margin:0;padding-inline-start:var(--aisha-4)}dd .arguments{margin:0}`],O([p({attribute:!1})],te.prototype,"steps",2),O([p({attribute:!1})],te.prototype,"names",2),O([p({attribute:!1})],te.prototype,"words",2),te=O([$("aisha-steps")],te);var se=class extends u{constructor(){super(...arguments),this.records=[],this.name="",this.last=!1,this.editable=!1,this.busy=!1,this.speaking=!1,this.isCopied=!1,this.hasAllSources=!1,this.shown=""}render(){let{message:e}=this;return"system"===e.role?this.note():"user"===e.role?h`<div class="asked">
<div class="user">
<span class="hidden-text">${this.words.say("you_said")}: </span
><span class="said" dir="auto">${e.text}</span>
</div>
${this.editable?this.tool("edit_message","edit",()=>this.actions.edit(e.key)):c}
</div>`:h`<article aria-label=${this.words.say("assistant_said",{name:this.name})}>
<aisha-steps .steps=${e.steps} .names=${this.names} .words=${this.words}></aisha-steps>
<div class="prose" dir="auto" ?hidden=${!e.text||null!==e.confirmation}></div>
${this.status()} ${this.marks()} ${this.question()} ${"streaming"===e.state?c:this.findings()}
</article>`}updated(e){let{text:t,state:s}=this.message,i=`${"streaming"===s}${t}`;e.has("message")&&this.prose&&i!==this.shown&&(this.prose.replaceChildren(r(t,"streaming"===s)),this.shown=i)}get names(){return A(this.records,this.message.sources,this.message.entities)}note(){let{error:e,changes:t}=this.message,s=t.map(e=>e.name).join(", ");return h`${s?h`<p class="system">${x("undo",14)} ${this.words.say("undone_names",{names:s})}</p>`:c}
${e?h`<aisha-notice .words=${this.words} .text=${a(e,this.words)}></aisha-notice>`:c}`}status(){let{message:e,words:t}=this;if("streaming"!==e.state)return c;let s=e.steps.findLast(e=>"running"===e.state);if(e.text&&!s)return c;let i=s?`${ee(s.tool,t)}…`:t.say("thinking");return h`<div class="status">
<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span><span>${i}</span>
</div>`}marks(){let{message:e,words:t}=this;return"stopped"===e.state?this.stopped():"unfinished"===e.state?ie(t.say("unfinished")):e.needs&&"done"===e.state?ie(t.say("needs_data",{names:(s=e.needs,Object.values(s).flatMap(e=>Array.isArray(e)?e.map(e=>"string"==typeof e?e:String(e?.id??"")):e&&"object"==typeof e?Object.keys(e):[]).filter(Boolean).map(M).join(", ").toLowerCase())})):e.error?h`<aisha-notice
.words=${t}
.text=${a(e.error,t)}
.retryAfter=${e.error.retryAfter}
.reference=${e.error.requestId??""}
?retryable=${(e=>![402,403,404,410,413,422].includes(e))(e.error.status)&&!e.decision}
?disabled=${this.busy}
@retry=${()=>this.actions.retry(e.key)}
></aisha-notice>`:c;var s}stopped(){let e=h`<button
class="button"
?disabled=${this.busy}
@click=${()=>this.actions.retry(this.message.key)}
>
${x("retry",15)} ${this.words.say("retry")}
</button>`;return h`${ie(this.words.say("stopped"),"stop")}${this.last?e:c}`}question(){let{message:e}=this;return e.confirmation&&"streaming"!==e.state?h`<aisha-confirmation
.message=${e}
.names=${this.names}
.words=${this.words}
.actions=${this.actions}
?busy=${this.busy}
></aisha-confirmation>`:c}findings(){let{message:e,words:t}=this;if("failed"===e.state)return c;let s=l(e.text),i=[...e.insights.map(e=>["bulb",e]),...e.nextSteps.filter(e=>!s.includes(e)).map(e=>["plan",e])];return h`
${e.warnings.map(e=>ie(e))} ${e.usage?.degraded?ie(t.say("degraded")):c}
${i.length?h`<div class="section">
<ul class="insights" aria-label=${t.say("insights")}>
${i.map(([e,t])=>h`<li dir="auto">${x(e,16)}<span>${t}</span></li>`)}
</ul>
</div>`:c}
${this.sources()} ${this.footer()} ${this.last?h`${this.scans()}${this.followUps()}`:c}
`}sources(){let{sources:e}=this.message;if(!e.length)return c;let t=this.hasAllSources||e.length<=5?e:e.slice(0,4),s=e.length-t.length;return h`<div class="section">
<p class="label">${this.words.say("sources")}</p>
<ul class="chips">
${t.map(e=>h`<li>
<button
class="chip"
title=${e.description}
aria-label=${this.words.say("open_record",{type:this.words.named("type_",e.type,e.type),name:e.name})}
@click=${()=>this.actions.openRecord(e)}
>
${_(e.type)}<span dir="auto">${e.name}</span>
</button>
</li>`)}
${s?h`<li>
<button class="chip" @click=${()=>this.hasAllSources=!0}>
${this.words.count("more",s)}
</button>
</li>`:c}
</ul>
</div>`}scans(){let{recommendedScans:e,steps:t}=this.message,s=new Set(t.map(e=>e.arguments.scan_type)),i=e.filter(e=>!s.has(e));return i.length?h`<div class="section">
<p class="label">${this.words.say("scans")}</p>
<ul class="chips">
${i.map(e=>{let t=this.words.named("scan_",e,e.replaceAll("_"," ")),s=this.words.say("run_scan_text",{name:t});return this.chip(s,x("search",14))})}
</ul>
</div>`:c}followUps(){let{followUps:e,confirmation:t,decision:s}=this.message;return!e.length||t&&!s?c:h`<div class="section">
<p class="label">${this.words.say("follow_ups")}</p>
<ul class="chips">
${e.map(e=>this.chip(e.text,h`<span class="emoji" aria-hidden="true">${e.icon}</span>`))}
</ul>
</div>`}chip(e,t){return h`<li>
<button class="chip follow-up" ?disabled=${this.busy} @click=${()=>this.actions.send(e)}>
${t}<span dir="auto">${e}</span>
</button>
</li>`}footer(){let{message:e,words:t}=this;return e.text?h`<div class="footer" role="group" aria-label=${t.say("answer_actions")}>
${e.changes.length?h`<button
class="button undo"
?disabled=${this.busy||null!==e.undo}
@click=${()=>this.actions.undo(e.key)}
>
${x("undo",14)}
${"done"===e.undo?t.say("undone"):t.count("undo",e.changes.length)}
</button>`:c}
${this.last&&e.isReplaceable?this.tool("answer_again","retry",()=>this.actions.answerAgain(e.key),this.busy):c}
${this.tool(this.isCopied?"copied":"copy",this.isCopied?"check":"copy",()=>this.copy())}
${this.tool(this.speaking?"stop_reading":"read_aloud",this.speaking?"mute":"speak",()=>this.actions.speak(e.key))}
<aisha-feedback .message=${e} .words=${t} .actions=${this.actions}></aisha-feedback>
<span class="when" title=${this.timing()}>${t.moment(e.at)}</span>
</div>`:c}tool(e,t,s,i=!1){let a=this.words.say(e);return h`<button
class="icon-button small"
aria-label=${a}
title=${a}
?disabled=${i}
@click=${s}
>
${x(t,15)}
</button>`}timing(){let{words:e,message:t}=this,{usage:s,ttsMs:i}=t;if(!s)return"";let{totalMs:a,llmMs:n}=s.timing;return`${[e.say("timing",{total:e.seconds(a)}),e.say("timing_model",{llm:e.seconds(n)}),...i?[e.say("timing_voice",{tts:e.seconds(i)})]:[]].join(", ")} · ${s.model}`}async copy(){try{await navigator.clipboard.writeText(this.message.text),this.isCopied=!0,this.actions.announce(this.words.say("copied")),setTimeout(()=>this.isCopied=!1,2e3)}catch{}}};function ie(e,t="alert"){return h`<p class="mark">${x(t,14)}<span>${e}</span></p>`}se.styles=[T,o,d`:host{display:block;padding-block:var(--aisha-2)}.asked{display:flex;flex-direction:row-reverse;align-items:center;gap:var(--aisha-1)}.user{max-inline-size:85%;padding:var(--aisha-2) var(--aisha-3);background:var(--aisha-accent-soft);border-radius:var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1) var(--aisha-radius-l);overflow-wrap:anywhere}.said{display:block;white-space:pre-wrap}:host([dir="rtl"]) .user{border-radius:var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1)}.system{display:flex;align-items:center;justify-content:center;gap:var(--aisha-2);overflow-wrap:anywhere;font-size:var(--aisha-text-s);color:var(--aisha-muted)}.status{display:flex;align-items:center;gap:var(--aisha-2);min-block-size:24px;color:var(--aisha-muted);font-size:var(--aisha-text-s)}.dots{display:inline-flex;gap:4px}.dots i{inline-size:6px;block-size:6px;border-radius:50%;background:var(--aisha-accent);animation:breathe 1.2s ease-in-out infinite}.dots i:nth-child(2){animation-delay:.15s}.dots i:nth-child(3){animation-delay:.3s}@keyframes breathe{50%{opacity:.25}}.mark{display:flex;align-items:center;gap:var(--aisha-2);margin-block-start:var(--aisha-2);font-size:var(--aisha-text-s);color:var(--aisha-warn)}.mark svg{flex:none}.section{margin-block-start:var(--aisha-3)}.label{margin:0 0 var(--aisha-1);font-size:var(--aisha-text-xs);font-weight:600;color:var(--aisha-muted)}.insights{margin:0;padding:var(--aisha-2) var(--aisha-3);list-style:none;background:var(--aisha-raised);border-radius:var(--aisha-radius);font-size:var(--aisha-text-s)}.insights li{display:flex;gap:var(--aisha-2)}.insights span{min-inline-size:0;overflow-wrap:anywhere}.insights svg{flex:none;margin-block-start:1px;color:var(--aisha-warn)}.chips{display:flex;flex-wrap:wrap;gap:var(--aisha-2);margin:0;padding:0;list-style:none}.chips li{max-inline-size:100%}.chip{display:inline-flex;align-items:center;gap:6px;max-inline-size:100%;min-block-size:28px;padding:3px 10px;font-size:var(--aisha-text-s);line-height:1.35;text-align:start;border:1px solid var(--aisha-line);border-radius:14px;background:var(--aisha-bg);transition:background var(--aisha-speed)}.chip:hover:not(:disabled){background:var(--aisha-hover)}.chip span{overflow:hidden;text-overflow:ellipsis;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow-wrap:anywhere}.chip svg{flex:none;color:var(--aisha-accent)}.follow-up{border-color:var(--aisha-line-strong)}.emoji{font-size:14px}.footer{display:flex;align-items:center;flex-wrap:wrap;gap:var(--aisha-1);margin-block-start:var(--aisha-2);color:var(--aisha-muted);font-size:var(--aisha-text-xs)}.footer>.icon-button:first-child{margin-inline-start:-6px}.footer .when{margin-inline-start:auto;font-variant-numeric:tabular-nums}.footer .undo{min-block-size:28px;padding:2px 10px}`],O([p({attribute:!1})],se.prototype,"message",2),O([p({attribute:!1})],se.prototype,"words",2),O([p({attribute:!1})],se.prototype,"actions",2),O([p({attribute:!1})],se.prototype,"records",2),O([p()],se.prototype,"name",2),O([p({type:Boolean})],se.prototype,"last",2),O([p({type:Boolean})],se.prototype,"editable",2),O([p({type:Boolean})],se.prototype,"busy",2),O([p({type:Boolean})],se.prototype,"speaking",2),O([m()],se.prototype,"isCopied",2),O([m()],se.prototype,"hasAllSources",2),O([g(".prose")],se.prototype,"prose",2),se=O([$("aisha-message")],se);var ae=class extends u{constructor(){super(...arguments),this.messages=[],this.records=[],this.name="",this.speaking=null,this.editable="",this.busy=!1,this.follows="question",this.placed=0,this.isMoreBelow=!1}firstUpdated(){this.sizes=new ResizeObserver(()=>this.place()),this.sizes.observe(this.content),this.sizes.observe(this.frame)}disconnectedCallback(){super.disconnectedCallback(),this.sizes?.disconnect()}connectedCallback(){super.connectedCallback(),this.hasUpdated&&this.firstUpdated()}updated(e){let t=e.get("messages");t&&this.messages.length>t.length&&"user"===this.messages.at(-2)?.role&&(this.follows="question"),this.place()}render(){let e=this.messages.at(-1)?.key;return h`<div
class="scroll"
tabindex="0"
role="log"
aria-live="off"
aria-label=${this.words.say("transcript")}
@scroll=${this.scrolled}
>
<div class="messages">
${this.messages.map(t=>h`<aisha-message
.message=${t}
.words=${this.words}
.actions=${this.actions}
.records=${this.records}
.name=${this.name}
dir=${this.words.direction}
?last=${t.key===e}
?editable=${t.key===this.editable}
?busy=${this.busy}
?speaking=${t.key===this.speaking}
></aisha-message>`)}
</div>
</div>
${this.isMoreBelow?h`<button
class="icon-button newest"
aria-label=${this.words.say("to_newest")}
title=${this.words.say("to_newest")}
@click=${this.toEnd}
>
${x("down")}
</button>`:c}`}scrolled(){let{scrollTop:e}=this.frame;Math.abs(e-this.placed)>2&&(this.follows=this.end-e<80?"end":"nothing"),this.isMoreBelow=this.end-e>80}toEnd(){this.follows="end",this.place()}get end(){return this.frame.scrollHeight-this.frame.clientHeight}get start(){let e=this.messages.findLastIndex(e=>"user"===e.role),{confirmation:t,decision:s}=this.messages.at(-1)??{},i=this.content.children[e];return!i||t&&!s?this.end:Math.min(i.offsetTop-this.content.offsetTop,this.end)}place(){this.frame&&("nothing"!==this.follows&&(this.frame.scrollTop="end"===this.follows?this.end:this.start,this.placed=this.frame.scrollTop),this.isMoreBelow=this.end-this.frame.scrollTop>80)}};ae.styles=[T,d`:host{position:relative;display:block;min-block-size:0}.scroll{block-size:100%;overflow-y:auto;overscroll-behavior:contain;scrollbar-width:thin;scrollbar-color:var(--aisha-line-strong) transparent;padding:var(--aisha-3) var(--aisha-4);outline-offset:-2px}.messages{max-inline-size:760px;margin-inline:auto}aisha-message:not([last]){content-visibility:auto;contain-intrinsic-size:auto 120px}.newest{position:absolute;inset-block-end:var(--aisha-3);inset-inline-end:var(--aisha-3);background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:50%;color:var(--aisha-ink);box-shadow:var(--aisha-shadow)}`],O([p({attribute:!1})],ae.prototype,"messages",2),O([p({attribute:!1})],ae.prototype,"records",2),O([p({attribute:!1})],ae.prototype,"words",2),O([p({attribute:!1})],ae.prototype,"actions",2),O([p()],ae.prototype,"name",2),O([p()],ae.prototype,"speaking",2),O([p()],ae.prototype,"editable",2),O([p({type:Boolean})],ae.prototype,"busy",2),O([m()],ae.prototype,"isMoreBelow",2),O([g(".scroll")],ae.prototype,"frame",2),O([g(".messages")],ae.prototype,"content",2),ae=O([$("aisha-transcript")],ae);var ne=[{label:"quick_status",icon:"activity"},{label:"quick_next",icon:"bulb"},{label:"quick_analyze",icon:"opportunity"}];function re(e,t,s){let i=`${e.label}_text`;return s?t.english(i):t.say(i)}var le=class extends u{constructor(){super(...arguments),this.onRecord=!1,this.english=!1,this.busy=!1}render(){let{words:e}=this;return h`<h3>${e.say("welcome_title")}</h3>
<p>${e.say("welcome_text")}</p>
<ul aria-label=${e.say("quick")}>
${this.onRecord?this.item({label:"quick_record",icon:"source"},null):c}
${ne.map((e,t)=>this.item(e,t+1))}
</ul>`}item(e,t){let s=re(e,this.words,this.english);return h`<li>
<button ?disabled=${this.busy} @click=${()=>this.actions.send(s)} aria-keyshortcuts=${t??c}>
${x(e.icon,20)}
<span class="text"><strong>${this.words.say(e.label)}</strong><span>${s}</span></span>
${t?h`<kbd aria-hidden="true">${t}</kbd>`:c}
</button>
</li>`}};le.styles=[T,d`:host{display:block}h3{margin:var(--aisha-3) 0 var(--aisha-1);font-size:var(--aisha-text-l);line-height:1.3}p{margin:0 0 var(--aisha-4);color:var(--aisha-muted);font-size:var(--aisha-text-s);line-height:1.5}ul{display:grid;gap:var(--aisha-2);margin:0;padding:0;list-style:none}li button{display:flex;align-items:center;gap:var(--aisha-3);inline-size:100%;padding:10px var(--aisha-3);text-align:start;border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);background:var(--aisha-raised);transition:background var(--aisha-speed)}li button:hover:not(:disabled){background:var(--aisha-hover)}svg{flex:none;color:var(--aisha-accent)}.text{flex:1;min-inline-size:0;line-height:1.35}strong{display:block;font-size:var(--aisha-text-s);font-weight:600}.text span{font-size:var(--aisha-text-s);color:var(--aisha-muted)}kbd{min-inline-size:20px;padding:1px 5px;text-align:center;font:inherit;font-size:var(--aisha-text-xs);color:var(--aisha-muted);border:1px solid var(--aisha-line);border-radius:5px}@media(hover:none){kbd{display:none}}`],O([p({attribute:!1})],le.prototype,"words",2),O([p({attribute:!1})],le.prototype,"actions",2),O([p({type:Boolean,attribute:"on-record"})],le.prototype,"onRecord",2),O([p({type:Boolean})],le.prototype,"english",2),O([p({type:Boolean})],le.prototype,"busy",2),le=O([$("aisha-welcome")],le);var oe=class extends u{constructor(){super(...arguments),this.api="",this.theme="midnight",this.layout="sidebar",this.locale="",this.name="",this.recordType="",this.recordId="",this.page="",this.minimised=!1,this.token=null,this.provideData=null,this.view="chat",this.isOnline=navigator.onLine,this.isUnread=!1,this.announced="",this.voices=[],this.isCalling=!1,this.viewsError=null,this.editing=null,this.tenantName="AiSHA",this.isEnglishOnly=!1,this.preferences={theme:H("theme")??"midnight",model:H("model")??"",isReadAloud:"yes"===H("aloud"),voice:H("voice")??"",callVoice:H("call_voice")??"",isPlanning:"yes"===H("plan")},this.words=new E("en"),this.wordsOf="",this.isDark=matchMedia("(prefers-color-scheme: dark)"),this.isRedrawn=!1,this.tokenGiven=new Promise(e=>this.giveToken=e),this.actions={send:e=>{this.say(e),n(this.composer)},retry:e=>{this.conversation.retry(e),n(this.composer)},answerAgain:e=>{this.conversation.answerAgain(e),n(this.composer)},edit:e=>{this.edit(e)},decide:(e,t,s)=>{this.conversation.decide(e,t,s),n(this.composer)},undo:e=>{this.conversation.undo(e)},expire:e=>this.conversation.expire(e),askAgain:e=>this.askAgain(e),openRecord:e=>this.navigate({page:null,record:e}),speak:e=>{this.speech.read(e,this.preferences.voice)},rate:(e,t,s)=>this.rate(e,t,s),announce:e=>this.announce(e)},this.speech=new X(this,{api:()=>this.client,words:()=>this.words,textOf:e=>this.conversation.find(e)?.text,said:e=>{this.composer?.fill(""),e&&this.say(e)},timed:(e,t)=>{this.conversation.patch(e,{ttsMs:t}),this.record("read_aloud","voice",!0,t,{ttsMs:t})}}),this.beginCall=async()=>{this.speech.stop(),this.speech.tell(""),await this.loadViews(),this.viewsError?this.speech.tell(a(this.viewsError,this.words)):this.isCalling=!0},this.sound=()=>{let e=!this.preferences.isReadAloud;this.prefer({...this.preferences,isReadAloud:e}),e||this.speech.stop()},this.begin=async()=>{this.conversation.clear(),await this.show("chat")},this.minimise=async()=>{this.minimised=!0,V("minimised","yes"),await this.updateComplete,this.renderRoot.querySelector(".launcher")?.focus()},this.restore=async()=>{this.minimised=!1,V("minimised",null),await this.updateComplete,n(this.composer)},this.pressed=e=>{let[t]=e.composedPath(),s=t?.matches("input, textarea, select, [contenteditable]");if("Escape"===e.key&&"chat"!==this.view&&this.show("chat"),s||e.ctrlKey||e.metaKey||e.altKey||"chat"!==this.view)return;let i=((e,t,s)=>{let i=/^[1-3]$/.test(e)?ne[Number(e)-1]:void 0;return i?re(i,t,s):null})(e.key,this.words,this.isEnglishOnly);i&&this.say(i)},this.connectionChanged=()=>{if(this.isOnline=navigator.onLine,!this.isOnline)return;this.announce(this.words.say("back_online"));let e=this.conversation.messages.findLast(e=>"offline"===e.error?.code);e&&this.conversation.retry(e.key)},this.redraw=()=>{this.isRedrawn=!0,this.requestUpdate()}}ask(e){this.minimised=!1,this.say(e)}async draft(e){this.minimised=!1,this.view="chat",await this.updateComplete,this.composer?.fill(e),this.composer?.focus()}async openConversation(e){this.view="chat",await this.conversation.open(e)}connectedCallback(){super.connectedCallback(),addEventListener("online",this.connectionChanged),addEventListener("offline",this.connectionChanged),this.isDark.addEventListener("change",this.redraw),this.addEventListener("keydown",this.pressed)}disconnectedCallback(){super.disconnectedCallback(),removeEventListener("online",this.connectionChanged),removeEventListener("offline",this.connectionChanged),this.isDark.removeEventListener("change",this.redraw),this.removeEventListener("keydown",this.pressed),this.conversation?.stop()}firstUpdated(){this.loadViews()}willUpdate(e){this.hasUpdated||(this.hasAttribute("theme")&&(this.preferences={...this.preferences,theme:this.theme}),this.theme=this.preferences.theme,"sidebar"===this.layout&&"yes"===H("minimised")&&(this.minimised=!0)),(e.has("api")||!this.client)&&this.connect(),this.token&&this.giveToken(),e.has("theme")&&(this.preferences={...this.preferences,theme:this.theme}),e.has("minimised")&&(this.isUnread&&=this.minimised),this.dataset.theme="light"===this.theme||"system"===this.theme&&!this.isDark.matches?"light":"midnight"}async scheduleUpdate(){this.isRedrawn&&!document.hidden&&await new Promise(requestAnimationFrame),this.isRedrawn=!1;let e=this.locale||document.documentElement.lang||navigator.language;e!==this.wordsOf&&(this.wordsOf=e,this.words=await C(e)),super.scheduleUpdate()}render(){let{words:e}=this;if(this.minimised&&"fill"!==this.layout){let t=e.say(this.isUnread?"open_unread":"open");return h`<button
class="launcher"
dir=${e.direction}
lang=${e.language}
aria-label=${t}
title=${t}
@click=${this.restore}
>
<span aria-hidden="true">${this.calledName.slice(0,1)}</span>
${this.isUnread?h`<span class="unread"></span>`:c}
</button>
${this.announcer()}`}let{conversation:t}=this;return h`<section
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
${this.isOnline?c:h`<p class="banner" role="status">${x("offline",16)} ${e.say("offline")}</p>`}
${this.speech.problem?h`<p class="banner" role="status">${x("mic",16)} ${this.speech.problem}</p>`:c}
</div>
<div class="body">${this.body()}</div>
<div>
${"chat"===this.view?this.isCalling?this.call():h`<aisha-composer
.words=${e}
.earlier=${t.spoken}
.heard=${this.speech.heard}
.editing=${this.editingWords}
@cancel=${()=>this.editing=null}
placeholder=${e.say(t.pending?"placeholder_pending":"placeholder")}
?busy=${"idle"!==t.phase}
?planning=${this.preferences.isPlanning}
@plan=${()=>this.prefer({...this.preferences,isPlanning:!this.preferences.isPlanning})}
?listening=${this.speech.isListening}
?voice=${this.speech.canListen}
@send=${e=>this.say(e.detail,this.editing)}
@stop=${()=>t.stop()}
?calls=${this.voices.length>0}
@call=${this.beginCall}
@talk=${this.speech.talk}
@release=${this.speech.finish}
></aisha-composer>`:c}
</div>
${this.announcer()}
</section>`}call(){return h`<aisha-voice
.api=${this.client}
.words=${this.words}
.actions=${this.actions}
.conversation=${this.conversation.id}
voice=${this.preferences.callVoice}
@changes=${e=>this.tellChanges(e.detail)}
@ended=${e=>this.endCall(e.detail)}
></aisha-voice>`}announcer(){return h`<div class="hidden-text" role="status" aria-live="polite">${this.announced}</div>`}body(){let{words:e,conversation:t,client:s,viewsError:i}=this;return"chat"!==this.view&&i?h`<div class="empty">
<aisha-notice
.words=${e}
.text=${a(i,e)}
retryable
@retry=${()=>this.show(this.view)}
></aisha-notice>
</div>`:"history"===this.view?h`<aisha-history
.api=${s}
.words=${e}
.current=${t.id}
@open=${e=>this.openConversation(e.detail)}
@removed=${e=>e.detail===t.id&&t.clear()}
></aisha-history>`:"settings"===this.view?h`<aisha-settings
.api=${s}
.words=${e}
.preferences=${this.preferences}
@change=${e=>this.prefer(e.detail)}
></aisha-settings>`:t.isLoading?h`<p class="loading" role="status">${e.say("loading")}</p>`:t.loadError?h`<div class="empty">
<aisha-notice
.words=${e}
.text=${a(t.loadError,e)}
.retryAfter=${t.loadError.retryAfter}
.reference=${t.loadError.requestId??""}
retryable
@retry=${()=>t.open(t.id)}
></aisha-notice>
</div>`:t.messages.length?h`<aisha-transcript
.messages=${t.messages}
.records=${t.entities}
.words=${e}
.actions=${this.actions}
.name=${this.calledName}
.speaking=${this.speech.speaking}
.editable=${t.editable?.key??""}
?busy=${"idle"!==t.phase}
></aisha-transcript>`:h`<div class="empty">
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
</div>`}get calledName(){return this.name||this.tenantName}get panelState(){return this.isOnline?this.speech.isListening?"listening":"idle"!==this.conversation.phase?"processing":this.speech.speaking?"speaking":"failed"===this.conversation.messages.at(-1)?.state?"error":"idle":"offline"}connect(){this.conversation?.stop();let e=y({api:this.api,token:e=>this.tokenSource().then(t=>t(e)),door:"widget"});this.client=e,this.speech.restart(),this.conversation=new I({api:e,request:()=>this.request(),isPlanning:()=>this.preferences.isPlanning,provide:e=>this.provide(e),changed:this.redraw,kept:e=>V(`conversation.${this.api}`,e),answered:e=>this.answered(e),recordsChanged:e=>this.tellChanges(e),navigated:e=>this.navigate(e),confirmationNeeded:e=>this.tell("confirmationneeded",e)}),this.name||this.loadName(e),this.loadModels(e);let t=H(`conversation.${this.api}`);t&&this.conversation.open(t)}async loadName(e){let t=await b(e.rest.GET("/api/ai/profile")).catch(()=>null);t?.assistantName&&(this.tenantName=t.assistantName)}async loadModels(e){let t=(await e.rest.GET("/api/ai/models").catch(()=>null))?.data;this.isEnglishOnly="offline"===t?.providers[0]?.id,this.voices="RTCPeerConnection"in globalThis?t?.realtimeVoices??[]:[]}async tokenSource(){return this.token||await this.tokenGiven,this.token}request(){let[e,...t]=this.preferences.model.split("/"),s=this.page||this.recordId;return{locale:this.words.locale,timezone:Intl.DateTimeFormat().resolvedOptions().timeZone,...e?{provider:e,model:t.join("/")}:{},...s?{context:{page:this.page||null,recordType:this.recordType||null,recordId:this.recordId||null}}:{}}}async say(e,t=null){this.view="chat",this.speech.tell(""),this.speech.stop(),this.editing=null,await this.conversation.send(e,t)}async edit(e){this.editing=e,await this.updateComplete,this.composer?.edit(this.conversation.find(e).text)}get editingWords(){let{editing:e,conversation:t}=this;return null!==e&&t.find(e)?this.words.say(t.isReplaceable(e)?"editing_replaces":"editing_follows"):""}askAgain(e){let{messages:t}=this.conversation,s=t.findIndex(t=>t.key===e),i=t.slice(0,Math.max(s,0)).findLast(e=>"user"===e.role);i&&this.say(i.text)}async provide(e){return await(this.provideData?.(e))??null}answered(e){this.minimised&&(this.isUnread=!0);let t=e.error?a(e.error,this.words):e.changes.length&&"system"===e.role?this.words.say("undone_names",{names:e.changes.map(e=>e.name).join(", ")}):e.confirmation?this.words.say("confirm_needed",{question:l(e.confirmation.question)}):l(e.text);this.announce(t),this.preferences.isReadAloud&&!e.error&&!document.hidden&&this.actions.speak(e.key)}async endCall({conversationId:e,problem:t}){this.isCalling=!1,this.speech.tell(t),e&&this.conversation.open(e),await this.updateComplete,n(this.composer)}rate(e,t,s){this.conversation.patch(e,{feedback:t}),("up"===t||s)&&this.record("answer_feedback","feedback","up"===t,0,void 0,s)}async record(e,t,s,i,a,n){let r={commandName:e,commandType:t,success:s,executionTimeMs:i,timing:a,errorMessage:n};await this.client.rest.POST("/api/ai/analytics",{body:r}).catch(()=>{})}navigate(e){this.tell("navigate",e)}tellChanges(e){for(let t of e)this.tell("recordchanged",t)}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}announce(e){this.announced=e===this.announced?`${e} `:e}prefer(e){var t;this.preferences=e,this.theme=e.theme,V("theme",(t=e).theme),V("model",t.model||null),V("aloud",t.isReadAloud?"yes":null),V("voice",t.voice||null),V("call_voice",t.callVoice||null),V("plan",t.isPlanning?"yes":null)}async show(e){this.view=e,"chat"!==e&&await this.loadViews(),await this.updateComplete,"chat"===e&&n(this.composer)}async loadViews(){this.viewsError=await import("./parts/views-XVGZLKI5.js").then(()=>null,()=>new f(0,"unreachable",""))}};oe.shadowRootOptions={...u.shadowRootOptions,delegatesFocus:!0},oe.styles=[S,T,d`:host{display:block;font-family:var(--aisha-font);font-size:var(--aisha-text-m);line-height:1.5;color:var(--aisha-ink);text-align:start;-webkit-text-size-adjust:100%}.panel{display:grid;grid-template:auto auto minmax(0,1fr) auto / minmax(0,1fr);background:var(--aisha-bg);block-size:100%;overflow:hidden}:host([layout="fill"]){block-size:100%;min-block-size:0}:host(:not([layout="fill"])) .panel{position:fixed;z-index:2147483000;inset-block:0;inset-inline-end:0;inline-size:min(400px,100vw);block-size:100dvh;border-inline-start:1px solid var(--aisha-line);box-shadow:var(--aisha-shadow)}@media(max-width:600px){:host(:not([layout="fill"])) .panel{inline-size:100vw;border:0}}.launcher{position:fixed;z-index:2147483000;inset-block-end:var(--aisha-5);inset-inline-end:var(--aisha-5);inline-size:56px;block-size:56px;display:grid;place-items:center;font-size:22px;font-weight:700;color:var(--aisha-on-accent);background:var(--aisha-accent-fill);border-radius:18px;box-shadow:var(--aisha-shadow)}.unread{position:absolute;inset-block-start:-3px;inset-inline-end:-3px;inline-size:16px;block-size:16px;border-radius:50%;background:var(--aisha-danger-fill);border:2px solid var(--aisha-bg)}.banner{margin:0;display:flex;align-items:center;gap:var(--aisha-2);padding:var(--aisha-2) var(--aisha-4);font-size:var(--aisha-text-s);color:var(--aisha-warn);background:var(--aisha-warn-soft)}.body{display:grid;grid-template-columns:minmax(0,1fr);min-block-size:0;min-inline-size:0}.empty{overflow-y:auto;padding:var(--aisha-3) var(--aisha-4);scrollbar-width:thin}.empty>*{max-inline-size:760px;margin-inline:auto}.loading{place-self:center;color:var(--aisha-muted);font-size:var(--aisha-text-s)}`],O([p()],oe.prototype,"api",2),O([p({reflect:!0})],oe.prototype,"theme",2),O([p({reflect:!0})],oe.prototype,"layout",2),O([p()],oe.prototype,"locale",2),O([p()],oe.prototype,"name",2),O([p({attribute:"record-type"})],oe.prototype,"recordType",2),O([p({attribute:"record-id"})],oe.prototype,"recordId",2),O([p()],oe.prototype,"page",2),O([p({type:Boolean,reflect:!0})],oe.prototype,"minimised",2),O([p({attribute:!1})],oe.prototype,"token",2),O([p({attribute:!1})],oe.prototype,"provideData",2),O([m()],oe.prototype,"view",2),O([m()],oe.prototype,"isOnline",2),O([m()],oe.prototype,"isUnread",2),O([m()],oe.prototype,"announced",2),O([m()],oe.prototype,"voices",2),O([m()],oe.prototype,"isCalling",2),O([m()],oe.prototype,"viewsError",2),O([m()],oe.prototype,"editing",2),O([m()],oe.prototype,"tenantName",2),O([m()],oe.prototype,"isEnglishOnly",2),O([m()],oe.prototype,"preferences",2),O([g("aisha-composer")],oe.prototype,"composer",2),oe=O([$("aisha-assistant")],oe);var de={skip:"Go to the content",desk_name:"{name} desk",lost:"The server does not answer; trying again…",signed_in_as:"Signed in as",theme_dark:"Dark",theme_light:"Light",pages:"Pages",overview:"Overview",settings:"Settings",console:"Console",calendar:"Calendar",kind_lead:"Lead",kind_contact:"Contact",kind_account:"Account",kind_opportunity:"Deal",kind_activity:"Activity",kind_note:"Note",kind_goal:"Goal",kinds_lead:"Leads",kinds_contact:"Contacts",kinds_account:"Accounts",kinds_opportunity:"Deals",kinds_activity:"Activities",kinds_note:"Notes",kinds_goal:"Goals",kinds_any:"records",error_unknown:"Something went wrong. Please try again.",error_offline:"You are offline. This goes on when the connection is back.",error_no_answer:"The server does not answer. Please try again in a moment.",error_signed_out:"You are signed out. Load the page again to sign in.",error_server:"The server could not do this. Please try again.",try_again:"Try again",loading:"Loading…",good_morning:"Good morning",good_afternoon:"Good afternoon",good_evening:"Good evening",open_pipeline:"Open pipeline",weighted:"Weighted",open_deals:"Open deals",still_due_today:"Still due today",overdue:"Overdue",pipeline_title:"Pipeline by stage and owner",pipeline_caption:"Open pipeline by stage and owner",in_currency:"in {currency}",no_open_deals:"No open deals.",owner_others:"Others",owner_nobody:"Nobody",no_goals:"No goals are set.",latest_changes:"Latest changes",no_changes:"What the assistant changes shows here at once, with who asked for it.",next_step:"Next step",scanning:"Scanning…",run_scan:"Run the scan “{name}”",scan_data_quality:"Data quality",scan_deals_at_risk:"Deals at risk",scan_goal_progress:"Goal progress",scan_next_steps:"Next steps",scan_overdue_activities:"Overdue activities",scan_stale_leads:"Stale leads",stat_leadsOpen:"Open leads",stat_leadsWithoutActivity:"Leads without an activity",stat_opportunitiesOpen:"Open deals",stat_suggestionsPending:"Suggestions for you",stat_suggestionsAccepted:"Suggestions that you took up",no_recommendation:"No recommendation right now.",looking:"Looking at your pipeline…",briefing:"Briefing",scan_done:"The scan is done: see the briefing.",in_all:"{count} in all",everyone:"Everyone",deals_by_stage:"Deals by stage",no_deals:"There are no deals yet. Ask the assistant to create one.",other_stages:"Other stages",was_due:"was due {day}",no_date:"no date",column_name:"Name",column_about:"About",column_written:"Written",search_by_name:"Search by name",search_in:"Search {kinds}",nothing_fits:"Nothing fits this search.",none_yet:"There are no {kinds} yet.",show_more:"Show more",any_status:"Any status",any_health:"Any health",you:"you",mark_created:"created by {who}",mark_updated:"updated by {who}",mark_deleted:"deleted by {who}",was_deleted:"{name} was deleted by {who}.",details:"Details",no_activities:"No activities yet.",no_notes:"No notes yet.",move_to:"Move to",ask_today:"What is on my plate today?",ask_next:"What should I do next?",ask_summary:"Summarize",ask_call:"Call tomorrow at 10",ask_complete:"Mark as completed",list:"List",view:"View",group_overdue:"Overdue",group_today:"Today",group_next:"Next 7 days",group_later:"Later",group_undated:"Without a date",group_done:"Done",plan_one:"There are no activities yet. Ask the assistant to plan one.",month_before:"Month before",month_after:"Month after",today:"Today",calendar_of:"Calendar of {month}",more:"{count} more",changes:"Changes",undo:"Undo",dismiss:"Dismiss",own_created:"You created the {kind} {name}",own_deleted:"You deleted the {kind} {name}",own_undone:"You took back a change of {name}",own_moved:"You moved {name} from {before} to {after}",own_set:"You set the {field} of {name} from {before} to {after}",own_changed:"You changed {fields} of {name}",own_updated:"You changed {name}",own_many_created:"You created {count} {kinds}",own_many_updated:"You updated {count} {kinds}",own_many_deleted:"You deleted {count} {kinds}",own_many_undone:"You took back a change of {count} {kinds}",other_created:"{who} created the {kind} {name}",other_deleted:"{who} deleted the {kind} {name}",other_undone:"{who} took back a change of {name}",other_moved:"{who} moved {name} from {before} to {after}",other_set:"{who} set the {field} of {name} from {before} to {after}",other_changed:"{who} changed {fields} of {name}",other_updated:"{who} changed {name}",other_many_created:"{who} created {count} {kinds}",other_many_updated:"{who} updated {count} {kinds}",other_many_deleted:"{who} deleted {count} {kinds}",other_many_undone:"{who} took back a change of {count} {kinds}",notifications:"Notifications",notifications_due:"Notifications: {count} due",nothing_due:"Nothing is due.",what_comes:"What comes, and how you are told",how_it_answers:"How it answers",mode_default:"Default",mode_default_text:"Answers as long as the question needs.",mode_voice:"Voice",mode_voice_text:"Plain, short sentences for reading aloud.",mode_brief:"Brief",mode_brief_text:"At most two sentences.",mode_coach:"Coach",mode_coach_text:"Explains the reasons and asks a question that leads you on.",standing_instructions:"Standing instructions",instruction_hint:"Say once what it should always keep to, such as “Give amounts in euros”.",new_instruction:"New instruction",add:"Add",also_sent_by:"Also sent by",in_app:"Nothing else: in the app alone",email:"Email",digest:"A digest every day",digest_at:"At",due_and_coming:"Due and coming up",nothing_coming:"Nothing is due. Ask the assistant to remind you of something.",memories:"Memories",memories_hint:"Nothing yet. Say “remember that ABC Corp pays late”.",sticky_notes:"Sticky notes",sticky_hint:"Nothing yet. Say “remind me to buy flowers tomorrow”.",delete:"Delete",delete_one:"Delete: {text}",saved:"Saved.",deleted:"Deleted.",language:"Language",language_browser:"As the browser",language_hint:"Of this page and of the assistant’s panel.",yes:"Yes",no:"No",field_owner:"Owner",field_amount:"Amount",field_currency:"Currency",field_stage:"Stage",field_probability:"Probability",field_close_date:"Close date",field_next_step:"Next step",field_created_at:"Created",field_updated_at:"Updated",field_company:"Company",field_job_title:"Job title",field_email:"Email",field_phone:"Phone",field_status:"Status",field_source:"Source",field_score:"Score",field_estimated_value:"Estimated value",field_value:"Value",field_last_contacted_at:"Last contact",field_next_action:"Next action",field_address:"Address",field_tags:"Tags",field_industry:"Industry",field_type:"Type",field_health:"Health",field_annual_revenue:"Revenue",field_employee_count:"Employees",field_website:"Website",field_activity_type:"Type",field_note_type:"Type",field_due_at:"Due",field_completed_at:"Completed",field_priority:"Priority",field_related:"About",field_title:"Title",field_description:"Description",field_content:"Text",field_is_private:"Private",value_prospecting:"Prospecting",value_qualification:"Qualification",value_proposal:"Proposal",value_negotiation:"Negotiation",value_closed_won:"Closed won",value_closed_lost:"Closed lost",value_new:"New",value_contacted:"Contacted",value_warm:"Warm",value_qualified:"Qualified",value_unqualified:"Unqualified",value_converted:"Converted",value_lost:"Lost",value_website:"Website",value_referral:"Referral",value_cold_call:"Cold call",value_social_media:"Social media",value_trade_show:"Trade show",value_advertising:"Advertising",value_other:"Other",value_active:"Active",value_inactive:"Inactive",value_prospect:"Prospect",value_customer:"Customer",value_partner:"Partner",value_vendor:"Vendor",value_competitor:"Competitor",value_unknown:"Unknown",value_healthy:"Healthy",value_at_risk:"At risk",value_churning:"Churning",value_scheduled:"Scheduled",value_completed:"Completed",value_cancelled:"Cancelled",value_call:"Call",value_email:"Email",value_meeting:"Meeting",value_task:"Task",value_demo:"Demo",value_follow_up:"Follow up",value_general:"General",value_call_log:"Call log",value_important:"Important",value_low:"Low",value_normal:"Normal",value_high:"High",value_urgent:"Urgent"},he="aisha.desk.locale",ce={de:()=>import("./parts/de-BBZRMMJO.js"),es:()=>import("./parts/es-ZZU2RJRS.js"),fr:()=>import("./parts/fr-U5CZKSL6.js")},ue={en:"English",de:"Deutsch",es:"Español",fr:"Français"},pe=new E(navigator.language,"en",de,de);function me(){return localStorage.getItem(he)??""}function ge(e,t={}){return pe.say(e,t)}function fe(e,t,s){return pe.named(e,t,s)}function ve(){return pe.locale}function ye(){return pe.direction}function be(e,t="USD",s=!1){let i=Number(e);if(!Number.isFinite(i))return"—";try{return new Intl.NumberFormat(ve(),{style:"currency",currency:String(t||"USD"),maximumFractionDigits:s?1:i%1?2:0,notation:s?"compact":"standard"}).format(i)}catch{return`${ke(i)} ${String(t)}`}}function we(e){let t=0===e||e>=.1?2:5;return new Intl.NumberFormat(ve(),{style:"currency",currency:"USD",maximumFractionDigits:t}).format(e)}function ke(e){return new Intl.NumberFormat(ve(),{maximumFractionDigits:1}).format(e)}function $e(e){let t=String(e??""),s=/^\d{4}-\d{2}-\d{2}$/.test(t),i=new Date(s?`${t}T00:00`:t);return Number.isNaN(i.getTime())?null:i}function xe(e){let t=$e(e);if(!t)return"—";let s=t.getFullYear()===(new Date).getFullYear();return t.toLocaleDateString(ve(),{day:"numeric",month:"short",...s?{}:{year:"numeric"}})}function _e(e){let t=$e(e);return t?t.toLocaleTimeString(ve(),{hour:"numeric",minute:"2-digit"}):""}function Se(e){return`${xe(e)}, ${_e(e)}`}function Te(e){let t=e=>new Date(e.getFullYear(),e.getMonth(),e.getDate()).getTime();return Math.round((t(e)-t(new Date))/864e5)}function ze(e){let t=$e(e);if(!t)return"—";let s=Te(t);return Math.abs(s)>13?xe(e):new Intl.RelativeTimeFormat(ve(),{numeric:"auto"}).format(s,"day")}function Ee(e){let t=e.replace(/[_-]+/g," ").trim();return t.charAt(0).toUpperCase()+t.slice(1)}function Ce(e){return e>=1e3?`${ke(e/1e3)} s`:`${Math.round(e)} ms`}function Me(e){return e.profile.values["opportunity.stage"]??[]}function Ae(e){if(!(e instanceof Error))return ge("error_unknown");if(e.message)return e.message;let{status:t,code:s}=e;return ge("offline"===s?"error_offline":0===t?"error_no_answer":401===t?"error_signed_out":"error_server")}var De=class{constructor(e,t,s=!1){this.host=e,this.type=t,this.isWhole=s,this.items=[],this.total=null,this.next=null,this.isLoading=!0,this.error="",this.filters={},this.attempt=0,this.redraw=()=>this.host.requestUpdate(),this.apply=e=>{let t=e.detail.filter(e=>e.entity.type===this.type);if(t.length){if(Object.values(this.filters).some(Boolean))return void this.load(this.filters);for(let e of t)this.take(e);this.host.requestUpdate()}},e.addController(this)}hostConnected(){this.host.desk?.feed.addEventListener("changes",this.apply),this.host.desk?.feed.addEventListener("marks",this.redraw)}hostDisconnected(){this.host.desk?.feed.removeEventListener("changes",this.apply),this.host.desk?.feed.removeEventListener("marks",this.redraw)}async load(e={}){this.hostConnected(),this.filters=e;let t=this.attempt+=1;this.isLoading=!0,this.error="",this.host.requestUpdate();try{let e=[],s=null;for(let i=0;i<(this.isWhole?20:1);i+=1){let i=await this.page(s);if(t!==this.attempt)return;if(e=[...e,...i.items],[this.total,s]=[i.total,i.next_cursor],!s)break}[this.items,this.next]=[e,s]}catch(e){if(t!==this.attempt)return;this.error=Ae(e)}this.isLoading=!1,this.host.requestUpdate()}async more(){let e=this.attempt;if(this.next&&!this.isLoading){this.isLoading=!0,this.host.requestUpdate();try{let t=await this.page(this.next);if(e!==this.attempt)return;let s=new Set(this.items.map(e=>e.id));this.items=[...this.items,...t.items.filter(e=>!s.has(e.id))],this.next=t.next_cursor}catch(e){this.host.desk.tell(Ae(e),!0)}this.isLoading=!1,this.host.requestUpdate()}}async page(e){let t={...this.filters,limit:50,...e?{cursor:e}:{}};return await b(this.host.desk.api.rest.GET("/api/crm/{type}",{params:{path:{type:this.type},query:t}}))}take(e){let t=this.items.findIndex(t=>t.id===e.entity.id),s=e.record;s?t>=0?this.items=this.items.with(t,s):("created"===e.action||"undo_last"===e.tool)&&(this.items=[s,...this.items],this.total=null===this.total?null:this.total+1):(t>=0&&(this.total=null===this.total?null:this.total-1),this.items=this.items.filter(t=>t.id!==e.entity.id))}},Le=[{type:"lead",page:"leads",module:"leads"},{type:"contact",page:"contacts",module:"contacts"},{type:"account",page:"accounts",module:"accounts"},{type:"opportunity",page:"opportunities",module:"opportunities"},{type:"activity",page:"activities",module:"activities"},{type:"note",page:"notes",module:"notes"}];function Oe(e){return Le.find(t=>t.type===e)}function Ne(e){return Le.find(t=>t.page===e)}function Pe(e,t,s=!1){let i=t[e.type];if(!i)return ge(s?`kinds_${e.type}`:`kind_${e.type}`);let a=i.charAt(0).toUpperCase()+i.slice(1);return s&&!a.endsWith("s")?`${a}s`:a}function Ue(e,t){let s=e.custom?.[t];return"string"==typeof s&&s?s:null}function Re(e,t,s){let i=Ue(e,t),a=String(e[t]??"");return i&&s.find(e=>e.label===i)||s.find(e=>e.key===a)||s.find(e=>e.countsAs===a)}function Ie(e){return!String(e.stage).startsWith("closed")}function je(e){return fe("field_",e,Ee(e.replace(/_id$/,"").replace(/_at$/,"")))}function qe(e){return fe("value_",e,Ee(e))}function We(e){return e.label===Ee(e.key)?qe(e.key):e.label}function Fe(e,t){let s=e[t];return null==s||""===s?"—":"boolean"==typeof s?ge(s?"yes":"no"):/amount|value|revenue/.test(t)?be(s,e.currency):/(_at|_date)$/.test(t)?xe(s):"probability"===t?`${String(s)}%`:"owner"===t?Ee(String(s)):Array.isArray(s)?s.map(Ge).join(", ")||"—":Ue(e,t)||(["status","stage","source","health","priority","activity_type","note_type","type"].includes(t)?qe(String(s)):Ge(s))}function Ge(e){return"object"!=typeof e||null===e?String(e):"string"==typeof e.name?e.name:Object.values(e).filter(e=>"object"!=typeof e&&""!==e).join(", ")}function Ye(e){let t=He(fe("kind_",e.entity.type,e.entity.type)),s={who:e.user,kind:t,name:e.entity.name},i=e.isOwn?"own":"other";if("undo_last"===e.tool)return ge(`${i}_undone`,s);if("updated"!==e.action)return ge(`${i}_${e.action}`,s);let{before:a,after:n}=e;for(let e of["stage","status","health","owner"])if(e in n||Ue(n,e)!==Ue(a,e)){let t={before:Fe(a,e),after:Fe(n,e)};return"stage"===e?ge(`${i}_moved`,{...s,...t}):ge(`${i}_set`,{...s,...t,field:He(je(e))})}let r=Object.keys(n).filter(e=>!["version","updated_at","custom"].includes(e));return r.length?ge(`${i}_changed`,{...s,fields:r.slice(0,3).map(e=>He(je(e))).join(", ")}):ge(`${i}_updated`,s)}function Be(e){return ge(`mark_${e.action}`,{who:e.isOwn?ge("you"):e.user})}function He(e){return ve().startsWith("de")?e:e.toLocaleLowerCase(ve())}var Ve="What is on my plate today?";function Ke(e,t){return`Move the deal ${t.display_name} to the stage ${e}`}var Je=d`:host{display:block;font-size:var(--aisha-text-s);color:var(--aisha-ink)}h1{margin:0;font-size:20px;letter-spacing:-.01em}h2{margin:0 0 var(--aisha-3);font-size:var(--aisha-text-m)}p{margin:0}a{color:var(--aisha-accent)}.muted{color:var(--aisha-muted)}.row{display:flex;flex-wrap:wrap;align-items:center;gap:var(--aisha-3)}.head{display:flex;flex-wrap:wrap;align-items:center;gap:var(--aisha-3);margin-block-end:var(--aisha-4)}.row .end,.head .end{margin-inline-start:auto}.card{background:var(--aisha-raised);border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);padding:var(--aisha-4)}.grid{display:grid;gap:var(--aisha-4);grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr))}.stack{display:grid;align-content:start;gap:var(--aisha-3)}.stack>h2{margin:0}.scroll{overflow:auto;border:1px solid var(--aisha-line);border-radius:var(--aisha-radius)}table{inline-size:100%;border-collapse:collapse}th{position:sticky;inset-block-start:0;background:var(--aisha-raised);color:var(--aisha-muted);font-weight:600;text-align:start;white-space:nowrap}th,td{padding:9px var(--aisha-3);border-block-end:1px solid var(--aisha-line);vertical-align:top}tr:last-child td{border-block-end:0}td[dir],dd[dir],h1[dir]{text-align:-webkit-match-parent;text-align:match-parent}.number,td.number{text-align:end;font-variant-numeric:tabular-nums}td.name{overflow-wrap:anywhere;min-inline-size:16ch;max-inline-size:48ch}progress{appearance:none;display:block;inline-size:100%;block-size:8px;border:0;border-radius:4px;overflow:hidden;background:var(--aisha-hover)}progress::-webkit-progress-bar{background:var(--aisha-hover)}progress::-webkit-progress-value{background:var(--aisha-accent-fill)}progress::-moz-progress-bar{background:var(--aisha-accent-fill)}.badge{display:inline-block;padding:2px 8px;border-radius:999px;font-size:var(--aisha-text-xs);font-weight:600;background:var(--aisha-hover);color:var(--aisha-ink);white-space:nowrap}.badge.good{color:var(--aisha-good)}.badge.warn{color:var(--aisha-warn);background:var(--aisha-warn-soft)}.badge.bad{color:var(--aisha-danger);background:var(--aisha-danger-soft)}.badge.accent{color:var(--aisha-accent);background:var(--aisha-accent-soft)}.link{color:var(--aisha-accent);font-weight:600;text-align:start;text-decoration:none;border-radius:4px}.link:hover{text-decoration:underline}.marked{background:var(--aisha-accent-soft);box-shadow:inset 3px 0 0 var(--aisha-accent)}.empty{display:grid;gap:var(--aisha-3);justify-items:center;padding:var(--aisha-6);text-align:center;color:var(--aisha-muted);border:1px dashed var(--aisha-line-strong);border-radius:var(--aisha-radius)}.error{color:var(--aisha-danger)}.skeleton{block-size:220px;border-radius:var(--aisha-radius);background:var(--aisha-raised);border:1px solid var(--aisha-line);animation:wait 1.6s ease-in-out infinite alternate}@keyframes wait{to{opacity:.55}}.tabs{display:flex;flex-wrap:wrap;gap:var(--aisha-1)}.tabs a,.tabs button{padding:7px 12px;border-radius:var(--aisha-radius-s);color:var(--aisha-muted);font-weight:600;text-decoration:none}.tabs a:hover,.tabs button:hover{background:var(--aisha-hover);color:var(--aisha-ink)}.tabs [aria-current=page],.tabs [aria-pressed=true]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}label.field{display:grid;gap:var(--aisha-1);font-weight:600}label.field .muted,label.field :is(input,select,textarea){font-weight:400}dl.fields{display:grid;grid-template-columns:minmax(9ch,auto) 1fr;gap:var(--aisha-2) var(--aisha-4);margin:0}dl.fields dt{color:var(--aisha-muted)}dl.fields dd{margin:0;overflow-wrap:anywhere}code,pre{font-family:var(--aisha-mono);font-size:var(--aisha-text-xs);overflow-wrap:anywhere;white-space:pre-wrap;margin:0}`,Ze={warm:"warn",qualified:"good",completed:"good",executed:"good",closed_won:"good",healthy:"good",ok:"good",done:"good",open:"accent",scheduled:"accent",proposal:"accent",negotiation:"accent",needs_confirmation:"warn",pending:"warn",at_risk:"warn",high:"warn",urgent:"bad",overdue:"bad",critical:"bad",failed:"bad",rejected:"bad",unavailable:"bad",stalled:"bad",lost:"bad",closed_lost:"bad"};function Xe(e,t){return"string"==typeof e&&e?h`<span class="badge ${t??Ze[e]??""}">${Ee(e)}</span>`:c}function Qe(e,t){let s=e[t],i=Ue(e,t);return i||s?h`<span class="badge ${Ze[String(s)]??""}">${i??qe(String(s))}</span>`:c}function et(e,t=c){return h`<div class="empty">
<p>${e}</p>
${t}
</div>`}function tt(e,t){return h`<div class="empty" role="alert">
<p class="error">${e}</p>
<button class="button" @click=${t}>${ge("try_again")}</button>
</div>`}function st(){return h`<div class="skeleton" role="status"><span class="hidden-text">${ge("loading")}</span></div>`}var it=Le.find(e=>"activity"===e.type),at=["overdue","today","next","later","undated","done"],nt=class extends u{constructor(){super(...arguments),this.view="list",this.month=ot(new Date),this.openDay=""}firstUpdated(){this.list=new De(this,"activity",!0),this.list.load()}render(){let e=this.list;return h`<div class="head">
<h1>${Pe(it,this.desk.profile.labels,!0)}</h1>
<nav class="tabs" aria-label=${ge("view")}>
<a href="#/activities" aria-current=${"list"===this.view?"page":c}>${ge("list")}</a>
<a href="#/calendar" aria-current=${"calendar"===this.view?"page":c}>${ge("calendar")}</a>
</nav>
<button class="button end" title=${Ve} @click=${()=>this.desk.ask(Ve)}>${ge("ask_today")}</button>
</div>
${!e||e.isLoading&&!e.items.length?st():e.error?tt(e.error,()=>e.load()):"calendar"===this.view?this.calendar(e.items):this.groups(e.items)}`}groups(e){if(!e.length)return et(ge("plan_one"));let t=new Map(at.map(e=>[e,[]]));for(let s of e)t.get(rt(s)).push(s);return h`${at.map(e=>{let s=lt(t.get(e),"done"===e),i="done"===e?s.slice(0,20):s;return i.length?h`<section>
<h2>${ge(`group_${e}`)} <span class="muted">${s.length}</span></h2>
<div class="scroll" tabindex="0" role="region" aria-label=${ge(`group_${e}`)}>
<table class="group">
<tbody>
${i.map(e=>this.row(e))}
</tbody>
</table>
</div>
</section>`:c})}`}row(e){let t=e.related,s=this.desk.feed.markOf(e.id);return h`<tr class=${s?"marked":""}>
<td class="name">
<a class="link" dir="auto" href="#/activities/${e.id}">${e.display_name}</a>
${s?h` <span class="badge accent">${Be(s)}</span>`:c}
${i=e,["scheduled","completed"].includes(String(i.status))?c:h` ${Qe(e,"status")}`}
</td>
<td dir="auto">${t?.name??"—"}</td>
<td>${e.due_at?Se(e.due_at):"—"}</td>
<td>${qe(String(e.activity_type))}</td>
<td>${e.owner?Ee(String(e.owner)):"—"}</td>
</tr>`;var i}calendar(e){let t=new Map;for(let s of e){let e=$e(s.due_at);e&&t.set(e.toDateString(),[...t.get(e.toDateString())??[],s])}let s=(e=>{let t=(e.getDay()+6)%7,s=new Date(e.getFullYear(),e.getMonth()+1,0).getDate(),i=Math.min(6,Math.ceil((t+s)/7));return Array.from({length:7*i},(s,i)=>new Date(e.getFullYear(),e.getMonth(),1-t+i))})(this.month),[i,a]="rtl"===ye()?["›","‹"]:["‹","›"],n=this.month.toLocaleDateString(ve(),{month:"long",year:"numeric"});return h`<div class="head">
<button class="icon-button" aria-label=${ge("month_before")} @click=${()=>this.turn(-1)}>${i}</button>
<h2 aria-live="polite">${n}</h2>
<button class="icon-button" aria-label=${ge("month_after")} @click=${()=>this.turn(1)}>${a}</button>
<button class="button" @click=${()=>this.month=ot(new Date)}>${ge("today")}</button>
</div>
<div class="scroll" tabindex="0" role="region" aria-label=${ge("calendar_of",{month:n})}>
<table class="calendar">
<thead>
<tr>
${s.slice(0,7).map(e=>h`<th scope="col">${e.toLocaleDateString(ve(),{weekday:"short"})}</th>`)}
</tr>
</thead>
<tbody>
${Array.from({length:s.length/7},(e,i)=>h`<tr>
${s.slice(7*i,7*i+7).map(e=>this.day(e,t.get(e.toDateString())??[]))}
</tr>`)}
</tbody>
</table>
</div>`}day(e,t){let s=e.getMonth()!==this.month.getMonth(),i=t.length<=4||this.openDay===e.toDateString(),a=i?lt(t):lt(t).slice(0,3);return h`<td class="${s?"other":""} ${0===Te(e)?"today":""}">
<span class="day">${e.getDate()}</span>
${a.map(e=>h`<a
class="entry ${String(e.status)} ${this.desk.feed.markOf(e.id)?"marked":""}"
href="#/activities/${e.id}"
title=${e.display_name}
>${_e(e.due_at)} <span dir="auto">${e.display_name}</span></a
>`)}
${i?c:h`<button class="link rest" @click=${()=>this.openDay=e.toDateString()}>
${ge("more",{count:t.length-a.length})}
</button>`}
</td>`}turn(e){this.month=new Date(this.month.getFullYear(),this.month.getMonth()+e,1)}};function rt(e){if("scheduled"!==e.status)return"done";let t=$e(e.due_at);if(!t)return"undated";let s=Te(t);return t.getTime()<Date.now()?"overdue":0===s?"today":s<=7?"next":"later"}function lt(e,t=!1){let s=e=>$e(e.due_at)?.getTime()??0;return e.toSorted((e,i)=>t?s(i)-s(e):s(e)-s(i))}function ot(e){return new Date(e.getFullYear(),e.getMonth(),1)}nt.styles=[T,Je,d`section{margin-block-end:var(--aisha-5)}h2{margin-block-end:var(--aisha-2)}.head h2{margin:0;min-inline-size:9em;text-align:center}.head .icon-button{font-size:22px}.group{table-layout:fixed}.group td{overflow-wrap:anywhere;min-inline-size:0}.group td:nth-child(1){inline-size:34%}.group td:nth-child(2),.group td:nth-child(3){inline-size:22%}@media(max-width:600px){.group td:nth-child(n+4){display:none}.group td:nth-child(1){inline-size:42%}.group td:nth-child(n){padding-inline:var(--aisha-2)}}.calendar{table-layout:fixed;min-inline-size:640px}.calendar td{block-size:96px;padding:var(--aisha-1);border-inline-end:1px solid var(--aisha-line)}.calendar td.other{background:var(--aisha-sunken)}.day{display:inline-block;min-inline-size:24px;padding:2px 4px;text-align:center;color:var(--aisha-muted);border-radius:999px}.today .day{background:var(--aisha-accent-fill);color:var(--aisha-on-accent);font-weight:700}.entry{min-block-size:24px;padding:3px 6px;margin-block-start:3px;border-radius:4px;font-size:var(--aisha-text-xs);background:var(--aisha-hover);color:inherit;text-decoration:none;display:block}.entry span{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;text-align:-webkit-match-parent;text-align:match-parent}.rest{min-block-size:24px;padding-inline:6px;font-size:var(--aisha-text-xs)}.entry.completed,.entry.cancelled{text-decoration:line-through;color:var(--aisha-muted)}`],O([p({attribute:!1})],nt.prototype,"desk",2),O([p()],nt.prototype,"view",2),O([m()],nt.prototype,"month",2),O([m()],nt.prototype,"openDay",2),nt=O([$("desk-activities")],nt);var dt=class extends u{constructor(){super(...arguments),this.due=[],this.error="",this.load=async()=>{try{this.due=(await b(this.desk.api.rest.GET("/api/ai/notifications"))).notifications,this.error=""}catch(e){this.error=Ae(e)}},this.close=()=>{this.details.open=!1}}firstUpdated(){this.desk.feed.addEventListener("changes",this.load),this.timer=setInterval(this.load,3e5),this.load()}disconnectedCallback(){super.disconnectedCallback(),this.desk.feed.removeEventListener("changes",this.load),clearInterval(this.timer)}render(){let e=this.due.length;return h`<details @keydown=${this.pressed} @focusout=${this.left}>
<summary aria-label=${ge("notifications_due",{count:e})} title=${ge("notifications")}>
<svg
width="18"
height="18"
viewBox="0 0 24 24"
fill="none"
stroke="currentColor"
stroke-width="1.8"
stroke-linecap="round"
stroke-linejoin="round"
aria-hidden="true"
>
<path d="M6 17V11a6 6 0 0 1 12 0v6l1.5 2h-15zM10 21h4" />
</svg>
${e?h`<span class="badge accent">${e}</span>`:c}
</summary>
<div class="card list">
${this.error?h`<p class="error" role="alert">${this.error}</p>`:e?h`<ul>
${this.due.map(e=>h`<li>${this.linked(e)}<span class="muted">${Se(e.dueAt)}</span></li>`)}
</ul>`:h`<p class="muted">${ge("nothing_due")}</p>`}
<a class="link" href="#/settings" @click=${this.close}>${ge("what_comes")}</a>
</div>
</details>`}linked(e){let t="activity"===e.source?Oe("activity"):e.entity?Oe(e.entity.type):void 0,s="activity"===e.source?e.id:e.entity?.id;return t&&s?h`<a class="link" dir="auto" href="#/${t.page}/${s}" @click=${this.close}>${e.title}</a>`:h`<span dir="auto">${e.title}</span>`}pressed(e){"Escape"!==e.key||!this.details.open||(this.close(),this.details.querySelector("summary")?.focus())}left(e){e.relatedTarget&&!this.details.contains(e.relatedTarget)&&this.close()}};dt.styles=[T,Je,d`details{position:relative}summary{display:flex;align-items:center;gap:var(--aisha-1);padding:6px 10px;border-radius:var(--aisha-radius-s);cursor:pointer;list-style:none}summary::-webkit-details-marker{display:none}summary:hover{background:var(--aisha-hover)}.list{position:absolute;inset-inline-end:0;inset-block-start:calc(100% + 4px);z-index:5;inline-size:min(340px,calc(100vw - 32px));max-block-size:60vh;overflow-y:auto;box-shadow:var(--aisha-shadow)}ul{display:grid;gap:var(--aisha-3);margin:0 0 var(--aisha-3);padding:0;list-style:none}li{overflow-wrap:anywhere}li .muted{display:block}`],O([p({attribute:!1})],dt.prototype,"desk",2),O([m()],dt.prototype,"due",2),O([m()],dt.prototype,"error",2),O([g("details")],dt.prototype,"details",2),dt=O([$("desk-bell")],dt);var ht=Le.find(e=>"opportunity"===e.type),ct=class extends u{constructor(){super(...arguments),this.over="",this.owner="",this.seen=new Set}firstUpdated(){this.list=new De(this,"opportunity",!0),this.list.load()}updated(){for(let e of this.renderRoot.querySelectorAll(".card.marked")){let t=`${e.getAttribute("href")} ${e.querySelector(".news")?.textContent}`;this.seen.has(t)||(this.seen.add(t),e.scrollIntoView({block:"nearest",inline:"nearest"}))}}render(){let e=this.list;if(!e||e.isLoading&&!e.items.length)return st();if(e.error)return tt(e.error,()=>e.load());let t=[...new Set(e.items.map(e=>String(e.owner??"")))].filter(Boolean).sort();return h`<div class="head">
<h1>${Pe(ht,this.desk.profile.labels,!0)}</h1>
<span class="muted">${ge("in_all",{count:`${e.items.length}${e.next?"+":""}`})}</span>
<label class="row end">
<span class="muted">${ge("field_owner")}</span>
<select
.value=${this.owner}
@change=${e=>this.owner=e.target.value}
>
<option value="">${ge("everyone")}</option>
${t.map(e=>h`<option value=${e}>${Ee(e)}</option>`)}
</select>
</label>
</div>
${e.items.length?h`<div class="board" role="group" tabindex="0" aria-label=${ge("deals_by_stage")}>
${this.columns(e.items).map(({stage:e,deals:t})=>this.column(e,t))}
</div>`:et(ge("no_deals"))}`}columns(e){let t=Me(this.desk),s=e.filter(e=>!this.owner||e.owner===this.owner),i=new Map(t.map(e=>[e,[]]));for(let e of s){let s=Re(e,"stage",t)??null;i.set(s,[...i.get(s)??[],e])}return[...i].map(([e,t])=>({stage:e,deals:t}))}column(e,t){let s=e?We(e):ge("other_stages");return h`<section
class=${e&&this.over===e.key?"over":""}
aria-label="${s}, ${t.length}"
@dragover=${t=>this.hover(t,e)}
@dragleave=${()=>this.over=""}
@drop=${t=>this.drop(t,e)}
>
<header>
<h2>${s}<span class="muted">${t.length}</span></h2>
<span class="muted">${ut(t)}</span>
</header>
<ul>
${t.map(e=>h`<li>${this.card(e)}</li>`)}
</ul>
</section>`}card(e){let t=this.desk.feed.markOf(e.id),s=$e(e.close_date),i=s&&Ie(e)&&Te(s)<0;return h`<a
class="card ${t?"marked":""}"
href="#/opportunities/${e.id}"
draggable="true"
@dragstart=${()=>this.dragged=e}
>
<strong>${e.display_name}</strong>
<span>${be(e.amount,e.currency)}</span>
<span class="foot muted">
<span class=${i?"late":""}
>${s?i?ge("was_due",{day:ze(e.close_date)}):ze(e.close_date):ge("no_date")}</span
>
<span>${e.owner?Ee(String(e.owner)):""}</span>
</span>
${t?h`<span class="news">${Ye(t)}</span>`:c}
</a>`}hover(e,t){!t||!this.dragged||Re(this.dragged,"stage",Me(this.desk))===t||(e.preventDefault(),this.over=t.key)}drop(e,t){e.preventDefault(),this.over="",this.dragged&&t&&this.desk.ask(Ke(t.label,this.dragged)),this.dragged=void 0}};function ut(e){let t=new Map;for(let s of e){let e=String(s.currency??"USD");t.set(e,(t.get(e)??0)+Number(s.amount??0))}return[...t].map(([e,t])=>be(t,e,!0)).join(" + ")||"—"}function pt({changes:[e]}){return e.isOwn&&"undo_last"!==e.tool}ct.styles=[T,Je,d`.board{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(184px,1fr);gap:var(--aisha-2);overflow-x:auto;scroll-snap-type:x proximity;padding-block-end:var(--aisha-3);align-items:start}section{background:var(--aisha-sunken);border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);padding:var(--aisha-2);min-block-size:180px}section{scroll-snap-align:start}section.over{border-color:var(--aisha-accent);background:var(--aisha-accent-soft)}header{display:grid;gap:2px;padding:var(--aisha-2)}h2{display:flex;justify-content:space-between;margin:0;font-size:var(--aisha-text-s)}ul{display:grid;gap:var(--aisha-2);margin:0;padding:0;list-style:none}.card{display:grid;gap:var(--aisha-1);inline-size:100%;padding:var(--aisha-3);text-align:start;cursor:pointer;text-decoration:none;color:inherit}.card:hover{border-color:var(--aisha-line-strong)}.card strong{overflow-wrap:anywhere;display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}.card.marked{border-color:var(--aisha-accent);animation:arrive .6s ease-out}.foot{display:flex;justify-content:space-between;gap:var(--aisha-2)}.late{color:var(--aisha-danger)}.news{font-size:var(--aisha-text-xs);color:var(--aisha-accent);overflow-wrap:anywhere}@keyframes arrive{0%{transform:translateY(-6px);opacity:.3}}`],O([p({attribute:!1})],ct.prototype,"desk",2),O([m()],ct.prototype,"over",2),O([m()],ct.prototype,"owner",2),ct=O([$("desk-board")],ct);var mt=class extends u{constructor(){super(...arguments),this.shown=[],this.undoing="",this.take=e=>{let t=new Map;for(let s of e.detail){let e=s.operation??String(s.sequence);t.set(e,[...t.get(e)??[],s])}for(let[e,s]of t)this.forgetUndone(s),this.shown=[{key:e,changes:s},...this.shown.filter(t=>t.key!==e)].slice(0,10),setTimeout(()=>this.expire(e),s[0].isOwn?3e4:12e3)}}connectedCallback(){super.connectedCallback(),this.desk.feed.addEventListener("changes",this.take)}disconnectedCallback(){super.disconnectedCallback(),this.desk.feed.removeEventListener("changes",this.take)}render(){return h`<aside aria-label=${ge("changes")}>
<div role="status" class="hidden-text">${this.shown[0]?this.words(this.shown[0]):c}</div>
${this.visible().map(e=>this.row(e))}
</aside>`}visible(){let e=this.shown.find(pt);return this.shown.filter(t=>t===e||!pt(t)).slice(0,3)}row(e){let t=e.changes[0],s=pt(e)&&t.operation;return h`<div class="change">
<p>${this.words(e)}</p>
${s?h`<button class="button" ?disabled=${this.undoing===e.key} @click=${()=>this.undo(e)}>
${ge("undo")}
</button>`:c}
<button class="icon-button small" aria-label=${ge("dismiss")} @click=${()=>this.dismiss(e)}>✕</button>
</div>`}words(e){let t=e.changes[0],s=e.changes.length;if(1===s)return`${Ye(t)}.`;let i=He(fe("kinds_",t.entity.type,ge("kinds_any")));return`${ge(`${t.isOwn?"own":"other"}_many_${"undo_last"===t.tool?"undone":t.action}`,{who:t.user,count:s,kinds:i})}.`}forgetUndone(e){if("undo_last"!==e[0].tool)return;let t=new Set(e.map(e=>e.entity.id));this.shown=this.shown.filter(e=>!e.changes.every(e=>t.has(e.entity.id)))}expire(e){this.matches(":hover, :focus-within")?setTimeout(()=>this.expire(e),12e3):this.drop(e)}dismiss(e){let t=pt(e);this.shown=this.shown.filter(s=>s!==e&&!(t&&pt(s)))}drop(e){this.shown=this.shown.filter(t=>t.key!==e)}async undo(e){this.undoing=e.key;try{let t=e.changes[0].operation??null;await this.desk.api.rest.POST("/api/ai/undo",{params:{header:{"Idempotency-Key":`undo.${e.key}`}},body:{operation:t}}),this.shown=this.shown.filter(t=>t.key!==e.key),this.desk.feed.poke()}catch(e){this.desk.tell(Ae(e),!0)}this.undoing=""}};mt.styles=[T,Je,d`:host{position:fixed;inset-block-end:var(--aisha-4);inset-inline-start:var(--aisha-4);z-index:5;inline-size:min(440px,calc(100vw - 2 * var(--aisha-4)));pointer-events:none}aside{display:grid;gap:var(--aisha-2)}.change{display:flex;align-items:center;gap:var(--aisha-3);padding:var(--aisha-3) var(--aisha-4);background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius);box-shadow:var(--aisha-shadow);pointer-events:auto}.change p{flex:1;overflow-wrap:anywhere;display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}`],O([p({attribute:!1})],mt.prototype,"desk",2),O([m()],mt.prototype,"shown",2),O([m()],mt.prototype,"undoing",2),mt=O([$("desk-changes")],mt);var gt,ft,vt="u-off",yt="u-label",bt="width",wt="height",kt="bottom",$t="left",xt="right",_t="#000",St=_t+"0",Tt="mousemove",zt="mousedown",Et="mouseup",Ct="mouseenter",Mt="mouseleave",At="dblclick",Dt="change",Lt="dppxchange",Ot="--",Nt=typeof window<"u",Pt=Nt?document:null,Ut=Nt?window:null,Rt=Nt?navigator:null;function It(e,t){if(null!=t){let s=e.classList;!s.contains(t)&&s.add(t)}}function jt(e,t){let s=e.classList;s.contains(t)&&s.remove(t)}function qt(e,t,s){e.style[t]=s+"px"}function Wt(e,t,s,i){let a=Pt.createElement(e);return null!=t&&It(a,t),s?.insertBefore(a,i),a}function Ft(e,t){return Wt("div",e,t)}var Gt=new WeakMap;function Yt(e,t,s,i,a){let n="translate("+t+"px,"+s+"px)";n!=Gt.get(e)&&(e.style.transform=n,Gt.set(e,n),t<0||s<0||t>i||s>a?It(e,vt):jt(e,vt))}var Bt=new WeakMap;function Ht(e,t,s){let i=t+s;i!=Bt.get(e)&&(Bt.set(e,i),e.style.background=t,e.style.borderColor=s)}var Vt=new WeakMap;function Kt(e,t,s,i){let a=t+""+s;a!=Vt.get(e)&&(Vt.set(e,a),e.style.height=s+"px",e.style.width=t+"px",e.style.marginLeft=i?-t/2+"px":0,e.style.marginTop=i?-s/2+"px":0)}var Jt={passive:!0},Zt={...Jt,capture:!0};function Xt(e,t,s,i){t.addEventListener(e,s,i?Zt:Jt)}function Qt(e,t,s,i){t.removeEventListener(e,s,Jt)}function es(e,t,s,i){let a;s=s||0;let n=(i=i||t.length-1)<=2147483647;for(;i-s>1;)a=n?s+i>>1:bs((s+i)/2),t[a]<e?s=a:i=a;return e-t[s]<=t[i]-e?s:i}function ts(e){return(t,s,i)=>{let a=-1,n=-1;for(let n=s;n<=i;n++)if(e(t[n])){a=n;break}for(let a=i;a>=s;a--)if(e(t[a])){n=a;break}return[a,n]}}Nt&&function e(){let t=devicePixelRatio;gt!=t&&(gt=t,ft&&Qt(Dt,ft,e),ft=matchMedia(`(min-resolution: ${gt-.001}dppx) and (max-resolution: ${gt+.001}dppx)`),Xt(Dt,ft,e),Ut.dispatchEvent(new CustomEvent(Lt)))}();var ss=e=>null!=e,is=e=>null!=e&&e>0,as=ts(ss),ns=ts(is);function rs(e,t,s,i){let a=Ss(e),n=Ss(t);e==t&&(-1==a?(e*=s,t/=s):(e/=s,t*=s));let r=10==s?Ts:zs,l=1==n?ks:bs,o=(1==a?bs:ks)(r(ys(e))),d=l(r(ys(t))),h=_s(s,o),c=_s(s,d);return 10==s&&(o<0&&(h=Gs(h,-o)),d<0&&(c=Gs(c,-d))),i||2==s?(e=h*a,t=c*n):(e=Fs(e,h),t=Ws(t,c)),[e,t]}function ls(e,t,s,i){let a=rs(e,t,s,i);return 0==e&&(a[0]=0),0==t&&(a[1]=0),a}var os={mode:3,pad:.1},ds={pad:0,soft:null,mode:0},hs={min:ds,max:ds};function cs(e,t,s,i){return ei(s)?ps(e,t,s):(ds.pad=s,ds.soft=i?0:null,ds.mode=i?3:0,ps(e,t,hs))}function us(e,t){return e??t}function ps(e,t,s){let i=s.min,a=s.max,n=us(i.pad,0),r=us(a.pad,0),l=us(i.hard,-Cs),o=us(a.hard,Cs),d=us(i.soft,Cs),h=us(a.soft,-Cs),c=us(i.mode,0),u=us(a.mode,0),p=t-e,m=Ts(p),g=xs(ys(e),ys(t)),f=Ts(g),v=ys(f-m);(p<1e-24||v>10)&&(p=0,(0==e||0==t)&&(p=1e-24,2==c&&d!=Cs&&(n=0),2==u&&h!=-Cs&&(r=0)));let y=p||g||1e3,b=Ts(y),w=_s(10,bs(b)),k=Gs(Fs(e-y*(0==p?0==e?.1:1:n),w/10),24),$=e>=d&&(1==c||3==c&&k<=d||2==c&&k>=d)?d:Cs,x=xs(l,k<$&&e>=$?$:$s($,k)),_=Gs(Ws(t+y*(0==p?0==t?.1:1:r),w/10),24),S=t<=h&&(1==u||3==u&&_>=h||2==u&&_<=h)?h:-Cs,T=$s(o,_>S&&t<=S?S:xs(S,_));return x==T&&0==x&&(T=100),[x,T]}var ms=new Intl.NumberFormat(Nt?Rt.language:"en-US"),gs=e=>ms.format(e),fs=Math,vs=fs.PI,ys=fs.abs,bs=fs.floor,ws=fs.round,ks=fs.ceil,$s=fs.min,xs=fs.max,_s=fs.pow,Ss=fs.sign,Ts=fs.log10,zs=fs.log2,Es=(e,t=1)=>fs.asinh(e/t),Cs=1/0;function Ms(e){return 1+(0|Ts((e^e>>31)-(e>>31)))}function As(e,t,s){return $s(xs(e,t),s)}function Ds(e){return"function"==typeof e}function Ls(e){return Ds(e)?e:()=>e}var Os=e=>e,Ns=(e,t)=>t,Ps=e=>null,Us=e=>!0,Rs=(e,t)=>e==t,Is=/\.\d*?(?=9{6,}|0{6,})/gm,js=e=>{if(Xs(e)||Ys.has(e))return e;let t=`${e}`,s=t.match(Is);if(null==s)return e;let i=s[0].length-1;if(-1!=t.indexOf("e-")){let[e,s]=t.split("e");return+`${js(e)}e${s}`}return Gs(e,i)};function qs(e,t){return js(Gs(js(e/t))*t)}function Ws(e,t){return js(ks(js(e/t))*t)}function Fs(e,t){return js(bs(js(e/t))*t)}function Gs(e,t=0){if(Xs(e))return e;let s=10**t;return ws(e*s*(1+Number.EPSILON))/s}var Ys=new Map;function Bs(e){return((""+e).split(".")[1]||"").length}function Hs(e,t,s,i){let a=[],n=i.map(Bs);for(let r=t;r<s;r++){let t=ys(r),s=Gs(_s(e,r),t);for(let l=0;l<i.length;l++){let o=10==e?+`${i[l]}e${r}`:i[l]*s,d=(r>=0?0:t)+(r>=n[l]?0:n[l]),h=10==e?o:Gs(o,d);a.push(h),Ys.set(h,d)}}return a}var Vs={},Ks=[],Js=[null,null],Zs=Array.isArray,Xs=Number.isInteger;function Qs(e){return"string"==typeof e}function ei(e){let t=!1;if(null!=e){let s=e.constructor;t=null==s||s==Object}return t}function ti(e){return null!=e&&"object"==typeof e}var si=Object.getPrototypeOf(Uint8Array),ii="__proto__";function ai(e,t=ei){let s;if(Zs(e)){let i=e.find(e=>null!=e);if(Zs(i)||t(i)){s=Array(e.length);for(let i=0;i<e.length;i++)s[i]=ai(e[i],t)}else s=e.slice()}else if(e instanceof si)s=e.slice();else if(t(e)){s={};for(let i in e)i!=ii&&(s[i]=ai(e[i],t))}else s=e;return s}function ni(e){let t=arguments;for(let s=1;s<t.length;s++){let i=t[s];for(let t in i)t!=ii&&(ei(e[t])?ni(e[t],ai(i[t])):e[t]=ai(i[t]))}return e}function ri(e,t,s){for(let i,a=0,n=-1;a<t.length;a++){let r=t[a];if(r>n){for(i=r-1;i>=0&&null==e[i];)e[i--]=null;for(i=r+1;i<s&&null==e[i];)e[n=i++]=null}}}var li=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask,oi=["January","February","March","April","May","June","July","August","September","October","November","December"],di=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function hi(e){return e.slice(0,3)}var ci=di.map(hi),ui=oi.map(hi),pi={MMMM:oi,MMM:ui,WWWW:di,WWW:ci};function mi(e){return(e<10?"0":"")+e}var gi={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>mi(e.getMonth()+1),M:e=>e.getMonth()+1,DD:e=>mi(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>mi(e.getHours()),H:e=>e.getHours(),h:e=>{let t=e.getHours();return 0==t?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>mi(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>mi(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>(e=>(e<10?"00":e<100?"0":"")+e)(e.getMilliseconds())};function fi(e,t){t=t||pi;let s,i=[],a=/\{([a-z]+)\}|[^{]+/gi;for(;s=a.exec(e);)i.push("{"==s[0][0]?gi[s[1]]:s[0]);return e=>{let s="";for(let a=0;a<i.length;a++)s+="string"==typeof i[a]?i[a]:i[a](e,t);return s}}var vi=(new Intl.DateTimeFormat).resolvedOptions().timeZone,yi=e=>e%1==0,bi=[1,2,2.5,5],wi=Hs(10,-32,0,bi),ki=Hs(10,0,32,bi),$i=ki.filter(yi),xi=wi.concat(ki),_i="{YYYY}",Si="\n"+_i,Ti="{M}/{D}",zi="\n"+Ti,Ei=zi+"/{YY}",Ci="{aa}",Mi="{h}:{mm}"+Ci,Ai="\n"+Mi,Di=":{ss}",Li=null;function Oi(e){let t=1e3*e,s=60*t,i=60*s,a=24*i,n=30*a,r=365*a;return[(1==e?Hs(10,0,3,bi).filter(yi):Hs(10,-3,0,bi)).concat([t,5*t,10*t,15*t,30*t,s,5*s,10*s,15*s,30*s,i,2*i,3*i,4*i,6*i,8*i,12*i,a,2*a,3*a,4*a,5*a,6*a,7*a,8*a,9*a,10*a,15*a,n,2*n,3*n,4*n,6*n,r,2*r,5*r,10*r,25*r,50*r,100*r]),[[r,_i,Li,Li,Li,Li,Li,Li,1],[28*a,"{MMM}",Si,Li,Li,Li,Li,Li,1],[a,Ti,Si,Li,Li,Li,Li,Li,1],[i,"{h}"+Ci,Ei,Li,zi,Li,Li,Li,1],[s,Mi,Ei,Li,zi,Li,Li,Li,1],[t,Di,Ei+" "+Mi,Li,zi+" "+Mi,Li,Ai,Li,1],[e,Di+".{fff}",Ei+" "+Mi,Li,zi+" "+Mi,Li,Ai,Li,1]],t=>(l,o,d,h,c,u)=>{let p=[],m=c>=r,g=c>=n&&c<r,f=t(d),v=Gs(f*e,3),y=Fi(f.getFullYear(),m?0:f.getMonth(),g||m?1:f.getDate()),b=Gs(y*e,3);if(g||m){let s=g?c/n:0,i=m?c/r:0,a=v==b?v:Gs(Fi(y.getFullYear()+i,y.getMonth()+s,1)*e,3),l=new Date(ws(a/e)),o=l.getFullYear(),d=l.getMonth();for(let n=0;a<=h;n++){let r=Fi(o+i*n,d+s*n,1),l=r-t(Gs(r*e,3));a=Gs((+r+l)*e,3),a<=h&&p.push(a)}}else{let n=c>=a?a:c,r=b+(bs(d)-bs(v))+Ws(v-b,n);p.push(r);let m=t(r),g=m.getHours()+m.getMinutes()/s+m.getSeconds()/i,f=c/i,y=u/l.axes[o]._space;for(;r=Gs(r+c,1==e?0:3),!(r>h);)if(f>1){let e=bs(Gs(g+f,6))%24,s=t(r).getHours()-e;s>1&&(s=-1),r-=s*i,g=(g+f)%24,Gs((r-p[p.length-1])/c,3)*y>=.7&&p.push(r)}else p.push(r)}return p}]}var[Ni,Pi,Ui]=Oi(1),[Ri,Ii,ji]=Oi(.001);function qi(e,t){return e.map(e=>e.map((s,i)=>0==i||8==i||null==s?s:t(1==i||0==e[8]?s:e[1]+s)))}function Wi(e,t){return(s,i,a,n,r)=>{let l,o,d,h,c,u,p=t.find(e=>r>=e[0])||t[t.length-1];return i.map(t=>{let s=e(t),i=s.getFullYear(),a=s.getMonth(),n=s.getDate(),r=s.getHours(),m=s.getMinutes(),g=s.getSeconds(),f=i!=l&&p[2]||a!=o&&p[3]||n!=d&&p[4]||r!=h&&p[5]||m!=c&&p[6]||g!=u&&p[7]||p[1];return l=i,o=a,d=n,h=r,c=m,u=g,f(s)})}}function Fi(e,t,s){return new Date(e,t,s)}function Gi(e,t){return t(e)}function Yi(e,t){return(s,i,a,n)=>null==n?Ot:t(e(i))}Hs(2,-53,53,[1]);var Bi={show:!0,live:!0,isolate:!1,mount:()=>{},markers:{show:!0,width:2,stroke:(e,t)=>{let s=e.series[t];return s.width?s.stroke(e,t):s.points.width?s.points.stroke(e,t):null},fill:(e,t)=>e.series[t].fill(e,t),dash:"solid"},idx:null,idxs:null,values:[]},Hi=[0,0];function Vi(e,t,s,i=!0){return e=>{0==e.button&&(!i||e.target==t)&&s(e)}}function Ki(e,t,s,i=!0){return e=>{(!i||e.target==t)&&s(e)}}var Ji={show:!0,x:!0,y:!0,lock:!1,move:(e,t,s)=>(Hi[0]=t,Hi[1]=s,Hi),points:{one:!1,show:(e,t)=>{let s=e.cursor.points,i=Ft(),a=s.size(e,t);qt(i,bt,a),qt(i,wt,a);let n=a/-2;qt(i,"marginLeft",n),qt(i,"marginTop",n);let r=s.width(e,t,a);return r&&qt(i,"borderWidth",r),i},size:(e,t)=>e.series[t].points.size,width:0,stroke:(e,t)=>{let s=e.series[t].points;return s._stroke||s._fill},fill:(e,t)=>{let s=e.series[t].points;return s._fill||s._stroke}},bind:{mousedown:Vi,mouseup:Vi,click:Vi,dblclick:Vi,mousemove:Ki,mouseleave:Ki,mouseenter:Ki},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,s,i,a)=>i-a,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Zi={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Xi=ni({},Zi,{filter:Ns}),Qi=ni({},Xi,{size:10}),ea=ni({},Zi,{show:!1}),ta='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',sa="bold "+ta,ia={show:!0,scale:"x",stroke:_t,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:sa,side:2,grid:Xi,ticks:Qi,border:ea,font:ta,lineGap:1.5,rotate:0},aa={show:!0,scale:"x",auto:!1,sorted:1,min:Cs,max:-Cs,idxs:[]};function na(e,t,s,i,a){return t.map(e=>null==e?"":gs(e))}function ra(e,t,s,i,a,n,r){let l=[],o=Ys.get(a)||0;for(let e=s=r?s:Gs(Ws(s,a),o);e<=i;e=Gs(e+a,o))l.push(Object.is(e,-0)?0:e);return l}function la(e,t,s,i,a,n,r){let l=[],o=e.scales[e.axes[t].scale].log,d=bs((10==o?Ts:zs)(s));a=_s(o,d),10==o&&(a=xi[es(a,xi)]);let h=s,c=a*o;10==o&&(c=xi[es(c,xi)]);do{l.push(h),h+=a,10==o&&!Ys.has(h)&&(h=Gs(h,Ys.get(a))),h>=c&&(c=(a=h)*o,10==o&&(c=xi[es(c,xi)]))}while(h<=i);return l}function oa(e,t,s,i,a,n,r){let l=e.scales[e.axes[t].scale].asinh,o=i>l?la(e,t,xs(l,s),i,a):[l],d=i>=0&&s<=0?[0]:[];return(s<-l?la(e,t,xs(l,-i),-s,a):[l]).reverse().map(e=>-e).concat(d,o)}var da=/./,ha=/[12357]/,ca=/[125]/,ua=/1/,pa=(e,t,s,i)=>e.map((e,a)=>4==t&&0==e||a%i==0&&s.test(e.toExponential()[e<0?1:0])?e:null);function ma(e,t,s,i,a){let n=e.axes[s],r=n.scale,l=e.scales[r],o=e.valToPos,d=n._space,h=o(10,r),c=o(9,r)-h>=d?da:o(7,r)-h>=d?ha:o(5,r)-h>=d?ca:ua;if(c==ua){let e=ys(o(1,r)-h);if(e<d)return pa(t.slice().reverse(),l.distr,c,ks(d/e)).reverse()}return pa(t,l.distr,c,1)}function ga(e,t,s,i,a){let n=e.axes[s],r=n.scale,l=n._space,o=e.valToPos,d=ys(o(1,r)-o(2,r));return d<l?pa(t.slice().reverse(),3,da,ks(l/d)).reverse():t}function fa(e,t,s,i){return null==i?Ot:null==t?"":gs(t)}var va={show:!0,scale:"y",stroke:_t,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:sa,side:3,grid:Xi,ticks:Qi,border:ea,font:ta,lineGap:1.5,rotate:0},ya={scale:null,auto:!0,sorted:0,min:Cs,max:-Cs},ba=(e,t,s,i,a)=>a,wa={show:!0,auto:!0,sorted:0,gaps:ba,alpha:1,facets:[ni({},ya,{scale:"x"}),ni({},ya,{scale:"y"})]},ka={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:ba,alpha:1,points:{show:(e,t)=>{let{scale:s,idxs:i}=e.series[0],a=e._data[0],n=e.valToPos(a[i[0]],s,!0),r=e.valToPos(a[i[1]],s,!0),l=ys(r-n);return i[1]-i[0]<=l/(e.series[t].points.space*gt)},filter:null},values:null,min:Cs,max:-Cs,idxs:[],path:null,clip:null};function $a(e,t,s,i,a){return s/10}var xa={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},_a=ni({},xa,{time:!1,ori:1}),Sa={};function Ta(e,t){let s=Sa[e];return s||(s={key:e,plots:[],sub(e){s.plots.push(e)},unsub(e){s.plots=s.plots.filter(t=>t!=e)},pub(e,t,i,a,n,r,l){for(let o=0;o<s.plots.length;o++)s.plots[o]!=t&&s.plots[o].pub(e,t,i,a,n,r,l)}},null!=e&&(Sa[e]=s)),s}function za(e,t,s){let i=e.mode,a=e.series[t],n=2==i?e._data[t]:e._data,r=e.scales,l=e.bbox,o=n[0],d=2==i?n[1]:n[t],h=2==i?r[a.facets[0].scale]:r[e.series[0].scale],c=2==i?r[a.facets[1].scale]:r[a.scale],u=l.left,p=l.top,m=l.width,g=l.height,f=e.valToPosH,v=e.valToPosV;return 0==h.ori?s(a,o,d,h,c,f,v,u,p,m,g,Na,Ua,Ia,qa,Fa):s(a,o,d,h,c,v,f,p,u,g,m,Pa,Ra,ja,Wa,Ga)}function Ea(e,t){let s=0,i=0,a=us(e.bands,Ks);for(let e=0;e<a.length;e++){let n=a[e];n.series[0]==t?s=n.dir:n.series[1]==t&&(i|=1==n.dir?1:2)}return[s,1==i?-1:2==i?1:3==i?2:0]}function Ca(e,t,s,i,a){let n=e.series[t],r=e.scales[2==e.mode?n.facets[1].scale:n.scale];return-1==a?r.min:1==a?r.max:3==r.distr?1==r.dir?r.min:r.max:0}function Ma(e,t,s,i,a,n){return za(e,t,(e,t,r,l,o,d,h,c,u,p,m)=>{let g,f,v=e.pxRound,y=0==l.ori?Ua:Ra;1==l.dir*(0==l.ori?1:-1)?(g=s,f=i):(g=i,f=s);let b=v(d(t[g],l,p,c)),w=v(h(r[g],o,m,u)),k=v(d(t[f],l,p,c)),$=v(h(1==n?o.max:o.min,o,m,u)),x=new Path2D(a);return y(x,k,$),y(x,b,$),y(x,b,w),x})}function Aa(e,t,s,i,a,n){let r=null;if(e.length>0){r=new Path2D;let l=0==t?Ia:ja,o=s;for(let t=0;t<e.length;t++){let s=e[t];if(s[1]>s[0]){let e=s[0]-o;e>0&&l(r,o,i,e,i+n),o=s[1]}}let d=s+a-o,h=10;d>0&&l(r,o,i-h/2,d,i+n+h)}return r}function Da(e,t,s,i,a,n,r){let l=[],o=e.length;for(let d=1==a?s:i;d>=s&&d<=i;d+=a)if(null===t[d]){let h=d,c=d;if(1==a)for(;++d<=i&&null===t[d];)c=d;else for(;--d>=s&&null===t[d];)c=d;let u=n(e[h]),p=c==h?u:n(e[c]),m=h-a;u=r<=0&&m>=0&&m<o?n(e[m]):u;let g=c+a;p=r>=0&&g>=0&&g<o?n(e[g]):p,p>=u&&l.push([u,p])}return l}function La(e){return 0==e?Os:1==e?ws:t=>qs(t,e)}function Oa(e){let t=0==e?Na:Pa,s=0==e?(e,t,s,i,a,n)=>{e.arcTo(t,s,i,a,n)}:(e,t,s,i,a,n)=>{e.arcTo(s,t,a,i,n)},i=0==e?(e,t,s,i,a)=>{e.rect(t,s,i,a)}:(e,t,s,i,a)=>{e.rect(s,t,a,i)};return(e,a,n,r,l,o=0,d=0)=>{0==o&&0==d?i(e,a,n,r,l):(o=$s(o,r/2,l/2),d=$s(d,r/2,l/2),t(e,a+o,n),s(e,a+r,n,a+r,n+l,o),s(e,a+r,n+l,a,n+l,d),s(e,a,n+l,a,n,d),s(e,a,n,a+r,n,o),e.closePath())}}var Na=(e,t,s)=>{e.moveTo(t,s)},Pa=(e,t,s)=>{e.moveTo(s,t)},Ua=(e,t,s)=>{e.lineTo(t,s)},Ra=(e,t,s)=>{e.lineTo(s,t)},Ia=Oa(0),ja=Oa(1),qa=(e,t,s,i,a,n)=>{e.arc(t,s,i,a,n)},Wa=(e,t,s,i,a,n)=>{e.arc(s,t,i,a,n)},Fa=(e,t,s,i,a,n,r)=>{e.bezierCurveTo(t,s,i,a,n,r)},Ga=(e,t,s,i,a,n,r)=>{e.bezierCurveTo(s,t,a,i,r,n)};function Ya(e){return(e,t,s,i,a)=>za(e,t,(t,n,r,l,o,d,h,c,u,p,m)=>{let g,f,{pxRound:v,points:y}=t;0==l.ori?(g=Na,f=qa):(g=Pa,f=Wa);let b=Gs(y.width*gt,3),w=(y.size-y.width)/2*gt,k=Gs(2*w,3),$=new Path2D,x=new Path2D,{left:_,top:S,width:T,height:z}=e.bbox;Ia(x,_-k,S-k,T+2*k,z+2*k);let E=e=>{if(null!=r[e]){let t=v(d(n[e],l,p,c)),s=v(h(r[e],o,m,u));g($,t+w,s),f($,t,s,w,0,2*vs)}};if(a)a.forEach(E);else for(let e=s;e<=i;e++)E(e);return{stroke:b>0?$:null,fill:$,clip:x,flags:3}})}function Ba(e){return(t,s,i,a,n,r)=>{i!=a&&(n!=i&&r!=i&&e(t,s,i),n!=a&&r!=a&&e(t,s,a),e(t,s,r))}}var Ha=Ba(Ua),Va=Ba(Ra);function Ka(e){let t=us(e?.alignGaps,0);return(e,s,i,a)=>za(e,s,(n,r,l,o,d,h,c,u,p,m,g)=>{[i,a]=as(l,i,a);let f,v,y=n.pxRound,b=e=>y(h(e,o,m,u)),w=e=>y(c(e,d,g,p));0==o.ori?(f=Ua,v=Ha):(f=Ra,v=Va);let k=o.dir*(0==o.ori?1:-1),$={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},x=$.stroke,_=!1;if(a-i>=4*m){let t,s,n,d=t=>e.posToVal(t,o.key,!0),h=null,c=null,u=b(r[1==k?i:a]),p=b(r[i]),m=b(r[a]),g=d(1==k?p+1:m-1);for(let e=1==k?i:a;e>=i&&e<=a;e+=k){let i=r[e],a=(1==k?i<g:i>g)?u:b(i),n=l[e];a==u?null!=n?(s=n,null==h?(f(x,a,w(s)),t=h=c=s):s<h?h=s:s>c&&(c=s)):null===n&&(_=!0):(null!=h&&v(x,u,w(h),w(c),w(t),w(s)),null!=n?(s=n,f(x,a,w(s)),h=c=t=s):(h=c=null,null===n&&(_=!0)),u=a,g=d(u+k))}null!=h&&h!=c&&n!=u&&v(x,u,w(h),w(c),w(t),w(s))}else for(let e=1==k?i:a;e>=i&&e<=a;e+=k){let t=l[e];null===t?_=!0:null!=t&&f(x,b(r[e]),w(t))}let[S,T]=Ea(e,s);if(null!=n.fill||0!=S){let t=$.fill=new Path2D(x),l=w(n.fillTo(e,s,n.min,n.max,S)),o=b(r[i]),d=b(r[a]);-1==k&&([d,o]=[o,d]),f(t,d,l),f(t,o,l)}if(!n.spanGaps){let d=[];_&&d.push(...Da(r,l,i,a,k,b,t)),$.gaps=d=n.gaps(e,s,i,a,d),$.clip=Aa(d,o.ori,u,p,m,g)}return 0!=T&&($.band=2==T?[Ma(e,s,i,a,x,-1),Ma(e,s,i,a,x,1)]:Ma(e,s,i,a,x,T)),$})}function Ja(e,t,s,i,a,n,r=Cs){if(e.length>1){let l=null;for(let o=0,d=1/0;o<e.length;o++)if(void 0!==t[o]){if(null!=l){let t=ys(e[o]-e[l]);t<d&&(d=t,r=ys(s(e[o],i,a,n)-s(e[l],i,a,n)))}l=o}}return r}function Za(e,t,s,i,a,n){let r=e.length;if(r<2)return null;let l=new Path2D;if(s(l,e[0],t[0]),2==r)i(l,e[1],t[1]);else{let s=Array(r),i=Array(r-1),n=Array(r-1),o=Array(r-1);for(let s=0;s<r-1;s++)n[s]=t[s+1]-t[s],o[s]=e[s+1]-e[s],i[s]=n[s]/o[s];s[0]=i[0];for(let e=1;e<r-1;e++)0===i[e]||0===i[e-1]||i[e-1]>0!=i[e]>0?s[e]=0:(s[e]=3*(o[e-1]+o[e])/((2*o[e]+o[e-1])/i[e-1]+(o[e]+2*o[e-1])/i[e]),isFinite(s[e])||(s[e]=0));s[r-1]=i[r-2];for(let i=0;i<r-1;i++)a(l,e[i]+o[i]/3,t[i]+s[i]*o[i]/3,e[i+1]-o[i]/3,t[i+1]-s[i+1]*o[i]/3,e[i+1],t[i+1])}return l}var Xa=new Set;function Qa(){for(let e of Xa)e.syncRect(!0)}Nt&&(Xt("resize",Ut,Qa),Xt("scroll",Ut,Qa,!0),Xt(Lt,Ut,()=>{mn.pxRatio=gt}));var en=Ka(),tn=Ya();function sn(e,t,s,i){return(i?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((e,i)=>an(e,i,t,s))}function an(e,t,s,i){return ni({},0==t?s:i,e)}function nn(e,t,s){return null==t?Js:[t,s]}var rn=nn;function ln(e,t,s){return null==t?Js:cs(t,s,.1,!0)}function on(e,t,s,i){return null==t?Js:rs(t,s,e.scales[i].log,!1)}var dn=on;function hn(e,t,s,i){return null==t?Js:ls(t,s,e.scales[i].log,!1)}var cn=hn;function un(e){let t,s;return[e=e.replace(/(\d+)px/,(e,i)=>(t=ws((s=+i)*gt))+"px"),t,s]}function pn(e){e.show&&[e.font,e.labelFont].forEach(e=>{let t=Gs(e[2]*gt,1);e[0]=e[0].replace(/[0-9.]+px/,t+"px"),e[1]=t})}function mn(e,t,s){let i={mode:us(e.mode,1)},a=i.mode;function n(e,t,s,i){let a=t.valToPct(e);return i+s*(-1==t.dir?1-a:a)}function r(e,t,s,i){let a=t.valToPct(e);return i+s*(-1==t.dir?a:1-a)}function l(e,t,s,i){return 0==t.ori?n(e,t,s,i):r(e,t,s,i)}i.valToPosH=n,i.valToPosV=r;let o=!1;i.status=0;let d=i.root=Ft("uplot");null!=e.id&&(d.id=e.id),It(d,e.class),e.title&&(Ft("u-title",d).textContent=e.title);let h=Wt("canvas"),c=i.ctx=h.getContext("2d"),u=Ft("u-wrap",d);Xt("click",u,e=>{e.target===m&&(Is!=bs||js!=Ss)&&Fs.click(i,e)},!0);let p=i.under=Ft("u-under",u);u.appendChild(h);let m=i.over=Ft("u-over",u),g=+us((e=ai(e)).pxAlign,1),f=La(g);(e.plugins||[]).forEach(t=>{t.opts&&(e=t.opts(i,e)||e)});let v=e.ms||.001,y=i.series=1==a?sn(e.series||[],aa,ka,!1):((e,t)=>e.map((e,s)=>0==s?{}:ni({},t,e)))(e.series||[null],wa),b=i.axes=sn(e.axes||[],ia,va,!0),w=i.scales={},k=i.bands=e.bands||[];k.forEach(e=>{e.fill=Ls(e.fill||null),e.dir=us(e.dir,-1)});let $=2==a?y[1].facets[0].scale:y[0].scale,x={axes:()=>{for(let e=0;e<b.length;e++){let t=b[e];if(!t.show||!t._show)continue;let s,a,n=t.side,r=n%2,o=t.stroke(i,e),d=0==n||3==n?-1:1,[h,u]=t._found;if(null!=t.label){let l=ws((t._lpos+t.labelGap*d)*gt);nt(t.labelFont[0],o,"center",2==n?"top":kt),c.save(),1==r?(s=a=0,c.translate(l,ws(me+fe/2)),c.rotate((3==n?-vs:vs)/2)):(s=ws(pe+ge/2),a=l);let p=Ds(t.label)?t.label(i,e,h,u):t.label;c.fillText(p,s,a),c.restore()}if(0==u)continue;let p=w[t.scale],m=0==r?ge:fe,g=0==r?pe:me,v=t._splits,y=2==p.distr?v.map(e=>et[e]):v,k=2==p.distr?et[v[1]]-et[v[0]]:h,$=t.ticks,x=t.border,_=$.show?$.size:0,S=ws(_*gt),T=ws((2==t.alignTo?t._size-_-t.gap:t.gap)*gt),z=t._rotate*-vs/180,E=f(t._pos*gt),C=E+(S+T)*d;a=0==r?C:0,s=1==r?C:0,nt(t.font[0],o,1==t.align?$t:2==t.align?xt:z>0?$t:z<0?xt:0==r?"center":3==n?xt:$t,z||1==r?"middle":2==n?"top":kt);let M=t.font[1]*t.lineGap,A=v.map(e=>f(l(e,p,m,g))),D=t._values;for(let e=0;e<D.length;e++){let t=D[e];if(null!=t){0==r?s=A[e]:a=A[e],t=""+t;let i=-1==t.indexOf("\n")?[t]:t.split(/\n/gm);for(let e=0;e<i.length;e++){let t=i[e];z?(c.save(),c.translate(s,a+e*M),c.rotate(z),c.fillText(t,0,0),c.restore()):c.fillText(t,s,a+e*M)}}}$.show&&mt(A,$.filter(i,y,e,u,k),r,n,E,S,Gs($.width*gt,3),$.stroke(i,e),$.dash,$.cap);let L=t.grid;L.show&&mt(A,L.filter(i,y,e,u,k),r,0==r?2:1,0==r?me:pe,0==r?fe:ge,Gs(L.width*gt,3),L.stroke(i,e),L.dash,L.cap),x.show&&mt([E],[1],0==r?1:0,0==r?1:2,1==r?me:pe,1==r?fe:ge,Gs(x.width*gt,3),x.stroke(i,e),x.dash,x.cap)}Qi("drawAxes")},series:()=>{if(Re>0){let e=y.some(e=>e._focus)&&Ve!=Ee.alpha;e&&(c.globalAlpha=Ve=Ee.alpha),y.forEach((e,s)=>{if(s>0&&e.show&&(ot(s,!1),ot(s,!0),null==e._paths)){let n=Ve;Ve!=e.alpha&&(c.globalAlpha=Ve=e.alpha);let r=2==a?[0,t[s][0].length-1]:(e=>{let t=As(Ze-1,0,Re-1),s=As(Xe+1,0,Re-1);for(;null==e[t]&&t>0;)t--;for(;null==e[s]&&s<Re-1;)s++;return[t,s]})(t[s]);e._paths=e.paths(i,s,r[0],r[1]),Ve!=n&&(c.globalAlpha=Ve=n)}}),y.forEach((e,t)=>{if(t>0&&e.show){let s=Ve;Ve!=e.alpha&&(c.globalAlpha=Ve=e.alpha),null!=e._paths&&dt(t,!1);{let s=null!=e._paths?e._paths.gaps:null,a=e.points.show(i,t,Ze,Xe,s),n=e.points.filter(i,t,a,s);(a||n)&&(e.points._paths=e.points.paths(i,t,Ze,Xe,n),dt(t,!0))}Ve!=s&&(c.globalAlpha=Ve=s),Qi("drawSeries",t)}}),e&&(c.globalAlpha=Ve=1)}}},_=(e.drawOrder||["axes","series"]).map(e=>x[e]);function S(e){let t=3==e.distr?t=>Ts(t>0?t:e.clamp(i,t,e.min,e.max,e.key)):4==e.distr?t=>Es(t,e.asinh):100==e.distr?t=>e.fwd(t):e=>e;return s=>{let i=t(s),{_min:a,_max:n}=e;return(i-a)/(n-a)}}function T(t){let s=w[t];if(null==s){let i=(e.scales||Vs)[t]||Vs;if(null!=i.from){T(i.from);let e=ni({},w[i.from],i,{key:t});e.valToPct=S(e),w[t]=e}else{s=w[t]=ni({},t==$?xa:_a,i),s.key=t;let e=s.time,n=s.range,r=Zs(n);if((t!=$||2==a&&!e)&&(r&&(null==n[0]||null==n[1])&&(n={min:null==n[0]?os:{mode:1,hard:n[0],soft:n[0]},max:null==n[1]?os:{mode:1,hard:n[1],soft:n[1]}},r=!1),!r&&ei(n))){let e=n;n=(t,s,i)=>null==s?Js:cs(s,i,e)}s.range=Ls(n||(e?rn:t==$?3==s.distr?dn:4==s.distr?cn:nn:3==s.distr?on:4==s.distr?hn:ln)),s.auto=Ls(!r&&s.auto),s.clamp=Ls(s.clamp||$a),s._min=s._max=null,s.valToPct=S(s)}}}T("x"),T("y"),1==a&&y.forEach(e=>{T(e.scale)}),b.forEach(e=>{T(e.scale)});for(let t in e.scales)T(t);let z,E,C=w[$],M=C.distr;0==C.ori?(It(d,"u-hz"),z=n,E=r):(It(d,"u-vt"),z=r,E=n);let A={};for(let e in w){let t=w[e];(null!=t.min||null!=t.max)&&(A[e]={min:t.min,max:t.max},t.min=t.max=null)}let D=e.tzDate||(e=>new Date(ws(e/v))),L=e.fmtDate||fi,O=1==v?Ui(D):ji(D),N=Wi(D,qi(1==v?Pi:Ii,L)),P=Yi(D,Gi("{YYYY}-{MM}-{DD} {h}:{mm}{aa}",L)),U=[],R=i.legend=ni({},Bi,e.legend),I=i.cursor=ni({},Ji,{drag:{y:2==a}},e.cursor),j=R.show,q=I.show,W=R.markers;R.idxs=U,W.width=Ls(W.width),W.dash=Ls(W.dash),W.stroke=Ls(W.stroke),W.fill=Ls(W.fill);let F,G,Y,B,H=[],V=[],K=!1,J={};if(R.live){let e=y[1]?y[1].values:null;K=null!=e,B=K?e(i,1,0):{_:0};for(let e in B)J[e]=Ot}if(j)if(F=Wt("table","u-legend",d),Y=Wt("tbody",null,F),R.mount(i,F),K){G=Wt("thead",null,F,Y);let e=Wt("tr",null,G);for(var Z in Wt("th",null,e),B)Wt("th",yt,e).textContent=Z}else It(F,"u-inline"),R.live&&It(F,"u-live");let X={show:!0},Q={show:!1},ee=new Map;function te(e,t,s,a=!0){let n=ee.get(t)||{},r=I.bind[e](i,t,s,a);r&&(Xt(e,t,n[e]=r),ee.set(t,n))}function se(e,t,s){let i=ee.get(t)||{};for(let s in i)(null==e||s==e)&&(Qt(s,t,i[s]),delete i[s]);null==e&&ee.delete(t)}let ie=0,ae=0,ne=0,re=0,le=0,oe=0,de=le,he=oe,ce=ne,ue=re,pe=0,me=0,ge=0,fe=0;i.bbox={};let ve=!1,ye=!1,be=!1,we=!1,ke=!1,$e=!1;function xe(e,t,s){(s||e!=i.width||t!=i.height)&&_e(e,t),Dt(!1),be=!0,ye=!0,Vt()}function _e(e,t){i.width=ie=ne=e,i.height=ae=re=t,le=oe=0,(()=>{let e=!1,t=!1,s=!1,i=!1;b.forEach((a,n)=>{if(a.show&&a._show){let{side:n,_size:r}=a,l=r+(null!=a.label?a.labelSize:0);l>0&&(n%2?(ne-=l,3==n?(le+=l,i=!0):s=!0):(re-=l,0==n?(oe+=l,e=!0):t=!0))}}),Pe[0]=e,Pe[1]=s,Pe[2]=t,Pe[3]=i,ne-=Je[1]+Je[3],le+=Je[3],re-=Je[2]+Je[0],oe+=Je[0]})(),(()=>{let e=le+ne,t=oe+re,s=le,i=oe;function a(a,n){switch(a){case 1:return e+=n,e-n;case 2:return t+=n,t-n;case 3:return s-=n,s+n;case 0:return i-=n,i+n}}b.forEach((e,t)=>{if(e.show&&e._show){let t=e.side;e._pos=a(t,e._size),null!=e.label&&(e._lpos=a(t,e.labelSize))}})})();let s=i.bbox;pe=s.left=qs(le*gt,.5),me=s.top=qs(oe*gt,.5),ge=s.width=qs(ne*gt,.5),fe=s.height=qs(re*gt,.5)}let Se=3;if(i.setSize=({width:e,height:t})=>{xe(e,t)},null==I.dataIdx){let e=I.hover,s=e.skip=new Set(e.skip??[]);s.add(void 0);let i=e.prox=Ls(e.prox),a=e.bias??=0;I.dataIdx=(e,n,r,l)=>{if(0==n)return r;let o=r,d=i(e,n,r,l)??Cs,h=d>=0&&d<Cs,c=0==C.ori?ne:re,u=I.left,p=t[0],m=t[n];if(s.has(m[r])){o=null;let e,t=null,i=null;if(0==a||-1==a)for(e=r;null==t&&e-- >0;)s.has(m[e])||(t=e);if(0==a||1==a)for(e=r;null==i&&e++<m.length;)s.has(m[e])||(i=e);if(null!=t||null!=i)if(h){let e=u-(null==t?-1/0:z(p[t],C,c,0)),s=(null==i?1/0:z(p[i],C,c,0))-u;e<=s?e<=d&&(o=t):s<=d&&(o=i)}else o=null==i?t:null==t?i:r-t<=i-r?t:i}else h&&ys(u-z(p[r],C,c,0))>d&&(o=null);return o}}let Te=e=>{I.event=e};I.idxs=U,I._lock=!1;let ze=I.points;ze.show=Ls(ze.show),ze.size=Ls(ze.size),ze.stroke=Ls(ze.stroke),ze.width=Ls(ze.width),ze.fill=Ls(ze.fill);let Ee=i.focus=ni({},e.focus||{alpha:.3},I.focus),Ce=Ee.prox>=0,Me=Ce&&ze.one,Ae=[],De=[],Le=[];function Oe(e,t){let s=ze.show(i,t);if(s instanceof HTMLElement)return It(s,"u-cursor-pt"),It(s,e.class),Yt(s,-10,-10,ne,re),m.insertBefore(s,Ae[t]),s}function Ne(e,t){if(1==a||t>0){let t=1==a&&w[e.scale].time,s=e.value;e.value=t?Qs(s)?Yi(D,Gi(s,L)):s||P:s||fa,e.label=e.label||(t?"Time":"Value")}if(Me||t>0){e.width=e.width??1,e.paths=e.paths||en||Ps,e.fillTo=Ls(e.fillTo||Ca),e.pxAlign=+us(e.pxAlign,g),e.pxRound=La(e.pxAlign),e.stroke=Ls(e.stroke||null),e.fill=Ls(e.fill||null),e._stroke=e._fill=e._paths=e._focus=null;let t=(e=>Gs(1*(3+2*(e||1)),3))(xs(1,e.width)),s=e.points=ni({},{size:t,width:xs(1,.2*t),stroke:e.stroke,space:2*t,paths:tn,_stroke:null,_fill:null},e.points);s.show=Ls(s.show),s.filter=Ls(s.filter),s.fill=Ls(s.fill),s.stroke=Ls(s.stroke),s.paths=Ls(s.paths),s.pxAlign=e.pxAlign}if(j){let s=((e,t)=>{if(0==t&&(K||!R.live||2==a))return Js;let s=[],n=Wt("tr","u-series",Y,Y.childNodes[t]);It(n,e.class),e.show||It(n,vt);let r=Wt("th",null,n);if(W.show){let e=Ft("u-marker",r);if(t>0){let s=W.width(i,t);s&&(e.style.border=s+"px "+W.dash(i,t)+" "+W.stroke(i,t)),e.style.background=W.fill(i,t)}}let l=Ft(yt,r);for(var o in e.label instanceof HTMLElement?l.appendChild(e.label):l.textContent=e.label,t>0&&(W.show||(l.style.color=e.width>0?W.stroke(i,t):W.fill(i,t)),te("click",r,t=>{if(I._lock)return;Te(t);let s=y.indexOf(e);if((t.ctrlKey||t.metaKey)!=R.isolate){let e=y.some((e,t)=>t>0&&t!=s&&e.show);y.forEach((t,i)=>{i>0&&di(i,e?i==s?X:Q:X,!0,ta.setSeries)})}else di(s,{show:!e.show},!0,ta.setSeries)},!1),Ce&&te(Ct,r,t=>{I._lock||(Te(t),di(y.indexOf(e),pi,!0,ta.setSeries))},!1)),B){let e=Wt("td","u-value",n);e.textContent="--",s.push(e)}return[n,s]})(e,t);H.splice(t,0,s[0]),V.splice(t,0,s[1]),R.values.push(null)}if(q){U.splice(t,0,null);let s=null;Me?0==t&&(s=Oe(e,t)):t>0&&(s=Oe(e,t)),Ae.splice(t,0,s),De.splice(t,0,0),Le.splice(t,0,0)}Qi("addSeries",t)}i.addSeries=(e,t)=>{t=t??y.length,e=1==a?an(e,t,aa,ka):an(e,t,{},wa),y.splice(t,0,e),Ne(y[t],t)},i.delSeries=e=>{if(y.splice(e,1),j){R.values.splice(e,1),V.splice(e,1);let t=H.splice(e,1)[0];se(null,t.firstChild),t.remove()}q&&(U.splice(e,1),Ae.splice(e,1)[0].remove(),De.splice(e,1),Le.splice(e,1)),Qi("delSeries",e)};let Pe=[!1,!1,!1,!1];function Ue(e,t,s,i){let[a,n,r,l]=s,o=t%2,d=0;return 0==o&&(l||n)&&(d=0==t&&!a||2==t&&!r?ws(ia.size/3):0),1==o&&(a||r)&&(d=1==t&&!n||3==t&&!l?ws(va.size/2):0),d}let Re,Ie,je,qe,We,Fe,Ge,Ye,Be,He,Ve,Ke=i.padding=(e.padding||[Ue,Ue,Ue,Ue]).map(e=>Ls(us(e,Ue))),Je=i._padding=Ke.map((e,t)=>e(i,t,Pe,0)),Ze=null,Xe=null,Qe=1==a?y[0].idxs:null,et=null,tt=!1;function st(e,s){if(i.data=i._data=t=e??[],2==a){Re=0;for(let e=1;e<y.length;e++)Re+=t[e][0].length}else{0==t.length&&(i.data=i._data=t=[[]]),et=t[0],Re=et.length;let e=t;if(2==M){e=t.slice();let s=e[0]=Array(Re);for(let e=0;e<Re;e++)s[e]=e}i._data=t=e}if(Dt(!0),Qi("setData"),2==M&&(be=!0),!1!==s){let e=C;e.auto(i,tt)?it():oi($,e.min,e.max),we=we||I.left>=0,$e=!0,Vt()}}function it(){let e,s;tt=!0,1==a&&(Re>0?(Ze=Qe[0]=0,Xe=Qe[1]=Re-1,e=t[0][Ze],s=t[0][Xe],2==M?(e=Ze,s=Xe):e==s&&(3==M?[e,s]=rs(e,e,C.log,!1):4==M?[e,s]=ls(e,e,C.log,!1):C.time?s=e+ws(86400/v):[e,s]=cs(e,s,.1,!0))):(Ze=Qe[0]=e=null,Xe=Qe[1]=s=null)),oi($,e,s)}function at(e,t,s,i,a,n){e??=St,s??=Ks,i??="butt",a??=St,n??="round",e!=Ie&&(c.strokeStyle=Ie=e),a!=je&&(c.fillStyle=je=a),t!=qe&&(c.lineWidth=qe=t),n!=Fe&&(c.lineJoin=Fe=n),i!=Ge&&(c.lineCap=Ge=i),s!=We&&c.setLineDash(We=s)}function nt(e,t,s,i){t!=je&&(c.fillStyle=je=t),e!=Ye&&(c.font=Ye=e),s!=Be&&(c.textAlign=Be=s),i!=He&&(c.textBaseline=He=i)}function rt(e,t,s,a,n=0){if(a.length>0&&e.auto(i,tt)&&(null==t||null==t.min)){let t=us(Ze,0),i=us(Xe,a.length-1),r=null==s.min?((e,t,s,i=0,a=!1)=>{let n=a?ns:as,r=a?is:ss;[t,s]=n(e,t,s);let l=e[t],o=e[t];if(t>-1)if(1==i)l=e[t],o=e[s];else if(-1==i)l=e[s],o=e[t];else for(let i=t;i<=s;i++){let t=e[i];r(t)&&(t<l?l=t:t>o&&(o=t))}return[l??Cs,o??-Cs]})(a,t,i,n,3==e.distr):[s.min,s.max];e.min=$s(e.min,s.min=r[0]),e.max=xs(e.max,s.max=r[1])}}i.setData=st;let lt={min:null,max:null};function ot(e,t){let s=t?y[e].points:y[e];s._stroke=s.stroke(i,e),s._fill=s.fill(i,e)}function dt(e,s){let a=s?y[e].points:y[e],{stroke:n,fill:r,clip:l,flags:o,_stroke:d=a._stroke,_fill:h=a._fill,_width:u=a.width}=a._paths;u=Gs(u*gt,3);let p=null,m=u%2/2;s&&null==h&&(h=u>0?"#fff":d);let g=1==a.pxAlign&&m>0;if(g&&c.translate(m,m),!s){let e=pe-u/2,t=me-u/2,s=ge+u,i=fe+u;p=new Path2D,p.rect(e,t,s,i)}s?ct(d,u,a.dash,a.cap,h,n,r,o,l):((e,s,a,n,r,l,o,d,h,c,u)=>{let p=!1;0!=h&&k.forEach((m,g)=>{if(m.series[0]==e){let e=y[m.series[1]],f=t[m.series[1]],v=(e._paths||Vs).band;Zs(v)&&(v=1==m.dir?v[0]:v[1]);let b,w=null;e.show&&v&&((e,t,s)=>{for(t=us(t,0),s=us(s,e.length-1);t<=s;){if(null!=e[t])return!0;t++}return!1})(f,Ze,Xe)?(w=m.fill(i,g)||l,b=e._paths.clip):v=null,ct(s,a,n,r,w,o,d,h,c,u,b,v),p=!0}}),p||ct(s,a,n,r,l,o,d,h,c,u)})(e,d,u,a.dash,a.cap,h,n,r,o,p,l),g&&c.translate(-m,-m)}let ht=3;function ct(e,t,s,i,a,n,r,l,o,d,h,u){at(e,t,s,i,a),(o||d||u)&&(c.save(),o&&c.clip(o),d&&c.clip(d)),u?(l&ht)==ht?(c.clip(u),h&&c.clip(h),pt(a,r),ut(e,n,t)):2&l?(pt(a,r),c.clip(u),ut(e,n,t)):1&l&&(c.save(),c.clip(u),h&&c.clip(h),pt(a,r),c.restore(),ut(e,n,t)):(pt(a,r),ut(e,n,t)),(o||d||u)&&c.restore()}function ut(e,t,s){s>0&&(t instanceof Map?t.forEach((e,t)=>{c.strokeStyle=Ie=t,c.stroke(e)}):null!=t&&e&&c.stroke(t))}function pt(e,t){t instanceof Map?t.forEach((e,t)=>{c.fillStyle=je=t,c.fill(e)}):null!=t&&e&&c.fill(t)}function mt(e,t,s,i,a,n,r,l,o,d){let h=r%2/2;1==g&&c.translate(h,h),at(l,r,o,d,l),c.beginPath();let u,p,m,f,v=a+(0==i||3==i?-n:n);0==s?(p=a,f=v):(u=a,m=v);for(let i=0;i<e.length;i++)null!=t[i]&&(0==s?u=m=e[i]:p=f=e[i],c.moveTo(u,p),c.lineTo(m,f));c.stroke(),1==g&&c.translate(-h,-h)}function ft(e){let t=!0;return b.forEach((s,a)=>{if(!s.show)return;let n=w[s.scale];if(null==n.min)return void(s._show&&(t=!1,s._show=!1,Dt(!1)));s._show||(t=!1,s._show=!0,Dt(!1));let r=s.side,l=r%2,{min:o,max:d}=n,[h,c]=((e,t,s,a)=>{let n,r=b[e];if(a<=0)n=[0,0];else{let l=r._space=r.space(i,e,t,s,a);n=((e,t,s,i,a)=>{let n=xs(Ms(e),Ms(t)),r=t-e,l=es(a/i*r,s);do{let e=s[l],t=i*e/r;if(t>=a&&n+(e<5?Ys.get(e):0)<=17)return[e,t]}while(++l<s.length);return[0,0]})(t,s,r._incrs=r.incrs(i,e,t,s,a,l),a,l)}return r._found=n})(a,o,d,0==l?ne:re);if(0==c)return;let u=s._splits=s.splits(i,a,o,d,h,c,2==n.distr),p=2==n.distr?u.map(e=>et[e]):u,m=2==n.distr?et[u[1]]-et[u[0]]:h,g=s._values=s.values(i,s.filter(i,p,a,c,m),a,c,m);s._rotate=2==r?s.rotate(i,g,a,c):0;let f=s._size;s._size=ks(s.size(i,g,a,e)),null!=f&&s._size!=f&&(t=!1)}),t}function _t(e){let t=!0;return Ke.forEach((s,a)=>{let n=s(i,a,Pe,e);n!=Je[a]&&(t=!1),Je[a]=n}),t}function Dt(e){y.forEach((t,s)=>{s>0&&(t._paths=null,e&&(1==a?(t.min=null,t.max=null):t.facets.forEach(e=>{e.min=null,e.max=null})))})}let Nt=!1,Rt=!1,Gt=[];function Bt(){Rt=!1;for(let e=0;e<Gt.length;e++)Qi(...Gt[e]);Gt.length=0}function Vt(){Nt||(li(Jt),Nt=!0)}function Jt(){if(ve&&((()=>{for(let e in w){let t=w[e];null==A[e]&&(null==t.min||null!=A[$]&&t.auto(i,tt))&&(A[e]=lt)}for(let e in w){let t=w[e];null==A[e]&&null!=t.from&&null!=A[t.from]&&(A[e]=lt)}null!=A[$]&&Dt(!0);let e={};for(let t in A){let s=A[t];if(null!=s){let n=e[t]=ai(w[t],ti);if(null!=s.min)ni(n,s);else if(t!=$||2==a)if(0==Re&&null==n.from){let e=n.range(i,null,null,t);n.min=e[0],n.max=e[1]}else n.min=Cs,n.max=-Cs}}if(Re>0){y.forEach((s,n)=>{if(1==a){let a=s.scale,r=A[a];if(null==r)return;let l=e[a];if(0==n){let e=l.range(i,l.min,l.max,a);l.min=e[0],l.max=e[1],Ze=es(l.min,t[0]),Xe=es(l.max,t[0]),Xe-Ze>1&&(t[0][Ze]<l.min&&Ze++,t[0][Xe]>l.max&&Xe--),s.min=et[Ze],s.max=et[Xe]}else s.show&&s.auto&&rt(l,r,s,t[n],s.sorted);s.idxs[0]=Ze,s.idxs[1]=Xe}else if(n>0&&s.show&&s.auto){let[i,a]=s.facets,r=i.scale,l=a.scale,[o,d]=t[n],h=e[r],c=e[l];null!=h&&rt(h,A[r],i,o,i.sorted),null!=c&&rt(c,A[l],a,d,a.sorted),s.min=a.min,s.max=a.max}});for(let t in e){let s=e[t],a=A[t];if(null==s.from&&(null==a||null==a.min)){let e=s.range(i,s.min==Cs?null:s.min,s.max==-Cs?null:s.max,t);s.min=e[0],s.max=e[1]}}}for(let t in e){let s=e[t];if(null!=s.from){let a=e[s.from];if(null==a.min)s.min=s.max=null;else{let e=s.range(i,a.min,a.max,t);s.min=e[0],s.max=e[1]}}}let s={},n=!1;for(let t in e){let i=e[t],a=w[t];if(a.min!=i.min||a.max!=i.max){a.min=i.min,a.max=i.max;let e=a.distr;a._min=3==e?Ts(a.min):4==e?Es(a.min,a.asinh):100==e?a.fwd(a.min):a.min,a._max=3==e?Ts(a.max):4==e?Es(a.max,a.asinh):100==e?a.fwd(a.max):a.max,s[t]=n=!0}}if(n){y.forEach((e,t)=>{2==a?t>0&&s.y&&(e._paths=null):s[e.scale]&&(e._paths=null)});for(let e in s)be=!0,Qi("setScale",e);q&&I.left>=0&&(we=$e=!0)}for(let e in A)A[e]=null})(),ve=!1),be&&((()=>{let e=!1,t=0;for(;!e;){t++;let s=ft(t),a=_t(t);e=t==Se||s&&a,e||(_e(i.width,i.height),ye=!0)}})(),be=!1),ye){if(qt(p,$t,le),qt(p,"top",oe),qt(p,bt,ne),qt(p,wt,re),qt(m,$t,le),qt(m,"top",oe),qt(m,bt,ne),qt(m,wt,re),qt(u,bt,ie),qt(u,wt,ae),h.width=ws(ie*gt),h.height=ws(ae*gt),b.forEach(({_el:e,_show:t,_size:s,_pos:i,side:a})=>{if(null!=e)if(t){let t=a%2==1;qt(e,t?"left":"top",i-(3===a||0===a?s:0)),qt(e,t?"width":"height",s),qt(e,t?"top":"left",t?oe:le),qt(e,t?"height":"width",t?re:ne),jt(e,vt)}else It(e,vt)}),Ie=je=qe=Fe=Ge=Ye=Be=He=We=null,Ve=1,Ti(!0),le!=de||oe!=he||ne!=ce||re!=ue){Dt(!1);let e=ne/ce,t=re/ue;if(q&&!we&&I.left>=0){I.left*=e,I.top*=t,hs&&Yt(hs,ws(I.left),0,ne,re),ps&&Yt(ps,0,ws(I.top),ne,re);for(let s=0;s<Ae.length;s++){let i=Ae[s];null!=i&&(De[s]*=e,Le[s]*=t,Yt(i,ks(De[s]),ks(Le[s]),ne,re))}}if(si.show&&!ke&&si.left>=0&&si.width>0){si.left*=e,si.width*=e,si.top*=t,si.height*=t;for(let e in Li)qt(ii,e,si[e])}de=le,he=oe,ce=ne,ue=re}Qi("setSize"),ye=!1}ie>0&&ae>0&&(c.clearRect(0,0,h.width,h.height),Qi("drawClear"),_.forEach(e=>e()),Qi("draw")),si.show&&ke&&(ri(si),ke=!1),q&&we&&(_i(null,!0,!1),we=!1),R.show&&R.live&&$e&&(wi(),$e=!1),o||(o=!0,i.status=1,Qi("ready")),tt=!1,Nt=!1}function Zt(e,s){let a=w[e];if(null==a.from){if(0==Re){let t=a.range(i,s.min,s.max,e);s.min=t[0],s.max=t[1]}if(s.min>s.max){let e=s.min;s.min=s.max,s.max=e}if(Re>1&&null!=s.min&&null!=s.max&&s.max-s.min<1e-16)return;e==$&&2==a.distr&&Re>0&&(s.min=es(s.min,t[0]),s.max=es(s.max,t[0]),s.min==s.max&&s.max++),A[e]=s,ve=!0,Vt()}}i.batch=(e,t=!1)=>{Nt=!0,Rt=t,e(i),Jt(),t&&Gt.length>0&&queueMicrotask(Bt)},i.redraw=(e,t)=>{be=t||!1,!1!==e?oi($,C.min,C.max):Vt()},i.setScale=Zt;let ts,ds,hs,ps,ms,gs,bs,Ss,zs,Os,Is,js,Ws=!1,Fs=I.drag,Hs=Fs.x,Xs=Fs.y;q&&(I.x&&(ts=Ft("u-cursor-x",m)),I.y&&(ds=Ft("u-cursor-y",m)),0==C.ori?(hs=ts,ps=ds):(hs=ds,ps=ts),Is=I.left,js=I.top);let si=i.select=ni({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),ii=si.show?Ft("u-select",si.over?m:p):null;function ri(e,t){if(si.show){for(let t in e)si[t]=e[t],t in Li&&qt(ii,t,e[t]);!1!==t&&Qi("setSelect")}}function oi(e,t,s){Zt(e,{min:t,max:s})}function di(e,t,s,n){null!=t.focus&&(e=>{if(e!=ui){let t=null==e,s=1!=Ee.alpha;y.forEach((i,n)=>{if(1==a||n>0){let a=t||0==n||n==e;i._focus=t?null:a,s&&((e,t)=>{y[e].alpha=t,q&&null!=Ae[e]&&(Ae[e].style.opacity=t),j&&H[e]&&(H[e].style.opacity=t)})(n,a?1:Ee.alpha)}}),ui=e,s&&Vt()}})(e),null!=t.show&&y.forEach((s,i)=>{i>0&&(e==i||null==e)&&(s.show=t.show,(e=>{if(y[e].show)j&&jt(H[e],vt);else if(j&&It(H[e],vt),q){let t=Me?Ae[0]:Ae[e];null!=t&&Yt(t,-10,-10,ne,re)}})(i),2==a?(oi(s.facets[0].scale,null,null),oi(s.facets[1].scale,null,null)):oi(s.scale,null,null),Vt())}),!1!==s&&Qi("setSeries",e,t),n&&ha("setSeries",i,e,t)}i.setSelect=ri,i.setSeries=di,i.addBand=(e,t)=>{e.fill=Ls(e.fill||null),e.dir=us(e.dir,-1),k.splice(t=t??k.length,0,e)},i.setBand=(e,t)=>{ni(k[e],t)},i.delBand=e=>{null==e?k.length=0:k.splice(e,1)};let hi,ci,ui,pi={focus:!0};function mi(e,t,s){let i=w[t];s&&(e=e/gt-(1==i.ori?oe:le));let a=ne;1==i.ori&&(a=re,e=a-e),-1==i.dir&&(e=a-e);let n=i._min,r=n+e/a*(i._max-n),l=i.distr;return 3==l?_s(10,r):4==l?((e,t=1)=>fs.sinh(e)*t)(r,i.asinh):100==l?i.bwd(r):r}function gi(e,t){qt(ii,$t,si.left=e),qt(ii,bt,si.width=t)}function vi(e,t){qt(ii,"top",si.top=e),qt(ii,wt,si.height=t)}j&&Ce&&te(Mt,F,e=>{I._lock||(Te(e),null!=ui&&di(null,pi,!0,ta.setSeries))}),i.valToIdx=e=>es(e,t[0]),i.posToIdx=(e,s)=>es(mi(e,$,s),t[0],Ze,Xe),i.posToVal=mi,i.valToPos=(e,t,s)=>0==w[t].ori?n(e,w[t],s?ge:ne,s?pe:0):r(e,w[t],s?fe:re,s?me:0),i.setCursor=(e,t,s)=>{Is=e.left,js=e.top,_i(null,t,s)};let yi=0==C.ori?gi:vi,bi=1==C.ori?gi:vi;function wi(e,t){if(null!=e&&(e.idxs?e.idxs.forEach((e,t)=>{U[t]=e}):(e=>void 0===e)(e.idx)||U.fill(e.idx),R.idx=U[0]),j&&R.live){for(let e=0;e<y.length;e++)(e>0||1==a&&!K)&&ki(e,U[e]);(()=>{if(j&&R.live)for(let e=2==a?1:0;e<y.length;e++){if(0==e&&K)continue;let t=R.values[e],s=0;for(let i in t)V[e][s++].firstChild.nodeValue=t[i]}})()}$e=!1,!1!==t&&Qi("setLegend")}function ki(e,s){let a,n=y[e],r=0==e&&2==M?et:t[e];K?a=n.values(i,e,s)??J:(a=n.value(i,null==s?null:r[s],e,s),a=null==a?J:{_:a}),R.values[e]=a}function _i(e,s,n){let r;zs=Is,Os=js,[Is,js]=I.move(i,Is,js),I.left=Is,I.top=js,q&&(hs&&Yt(hs,ws(Is),0,ne,re),ps&&Yt(ps,0,ws(js),ne,re)),hi=Cs,ci=null;let l=0==C.ori?ne:re,o=1==C.ori?ne:re;if(Is<0||0==Re||Ze>Xe){r=I.idx=null;for(let e=0;e<y.length;e++){let t=Ae[e];null!=t&&Yt(t,-10,-10,ne,re)}Ce&&di(null,pi,!0,null==e&&ta.setSeries),R.live&&(U.fill(r),$e=!0)}else{let e,s,n;1==a&&(e=0==C.ori?Is:js,s=mi(e,$),r=I.idx=es(s,t[0],Ze,Xe),n=z(t[0][r],C,l,0));let d=-10,h=-10,c=0,u=0,p=!0,m="",g="";for(let e=2==a?1:0;e<y.length;e++){let f=y[e],v=U[e],b=null==v?null:1==a?t[e][v]:t[e][1][v],k=I.dataIdx(i,e,r,s),$=null==k?null:1==a?t[e][k]:t[e][1][k];if($e=$e||$!=b||k!=v,U[e]=k,e>0&&f.show){let s=null==k?-10:k==r?n:z(1==a?t[0][k]:t[e][0][k],C,l,0),v=null==$?-10:E($,1==a?w[f.scale]:w[f.facets[1].scale],o,0);if(Ce&&null!=$){let t=1==C.ori?Is:js,s=ys(Ee.dist(i,e,k,v,t));if(s<hi){let i=Ee.bias;if(0!=i){let a=mi(t,f.scale),n=a>=0?1:-1;n==($>=0?1:-1)&&(1==n?1==i?$>=a:$<=a:1==i?$<=a:$>=a)&&(hi=s,ci=e)}else hi=s,ci=e}}if($e||Me){let t,a;0==C.ori?(t=s,a=v):(t=v,a=s);let n,r,l,o,f,y,b=!0,w=ze.bbox;if(null!=w){b=!1;let t=w(i,e);l=t.left,o=t.top,n=t.width,r=t.height}else l=t,o=a,n=r=ze.size(i,e);if(y=ze.fill(i,e),f=ze.stroke(i,e),Me)e==ci&&hi<=Ee.prox&&(d=l,h=o,c=n,u=r,p=b,m=y,g=f);else{let t=Ae[e];null!=t&&(De[e]=l,Le[e]=o,Kt(t,n,r,b),Ht(t,y,f),Yt(t,ks(l),ks(o),ne,re))}}}}if(Me){let e=Ee.prox;if($e||(null==ui?hi<=e:hi>e||ci!=ui)){let e=Ae[0];null!=e&&(De[0]=d,Le[0]=h,Kt(e,c,u,p),Ht(e,m,g),Yt(e,ks(d),ks(h),ne,re))}}}if(si.show&&Ws)if(null!=e){let[t,s]=ta.scales,[i,a]=ta.match,[n,r]=e.cursor.sync.scales,d=e.cursor.drag;if(Hs=d._x,Xs=d._y,Hs||Xs){let d,h,c,u,p,{left:m,top:g,width:f,height:v}=e.select,y=e.scales[n].ori,b=e.posToVal,k=null!=t&&i(t,n),$=null!=s&&a(s,r);k&&Hs?(0==y?(d=m,h=f):(d=g,h=v),c=w[t],u=z(b(d,n),c,l,0),p=z(b(d+h,n),c,l,0),yi($s(u,p),ys(p-u))):yi(0,l),$&&Xs?(1==y?(d=m,h=f):(d=g,h=v),c=w[s],u=E(b(d,r),c,o,0),p=E(b(d+h,r),c,o,0),bi($s(u,p),ys(p-u))):bi(0,o)}else Oi()}else{let e=ys(zs-ms),t=ys(Os-gs);if(1==C.ori){let s=e;e=t,t=s}Hs=Fs.x&&e>=Fs.dist,Xs=Fs.y&&t>=Fs.dist;let s,i,a=Fs.uni;null!=a?Hs&&Xs&&(Hs=e>=a,Xs=t>=a,!Hs&&!Xs&&(t>e?Xs=!0:Hs=!0)):Fs.x&&Fs.y&&(Hs||Xs)&&(Hs=Xs=!0),Hs&&(0==C.ori?(s=bs,i=Is):(s=Ss,i=js),yi($s(s,i),ys(i-s)),Xs||bi(0,o)),Xs&&(1==C.ori?(s=bs,i=Is):(s=Ss,i=js),bi($s(s,i),ys(i-s)),Hs||yi(0,l)),!Hs&&!Xs&&(yi(0,0),bi(0,0))}if(Fs._x=Hs,Fs._y=Xs,null==e){if(n){if(null!=sa){let[e,t]=ta.scales;ta.values[0]=null!=e?mi(0==C.ori?Is:js,e):null,ta.values[1]=null!=t?mi(1==C.ori?Is:js,t):null}ha(Tt,i,Is,js,ne,re,r)}if(Ce){let e=n&&ta.setSeries,t=Ee.prox;null==ui?hi<=t&&di(ci,pi,!0,e):hi>t?di(null,pi,!0,e):ci!=ui&&di(ci,pi,!0,e)}}$e&&(R.idx=r,wi()),!1!==s&&Qi("setCursor")}i.setLegend=wi;let Si=null;function Ti(e=!1){e?Si=null:(Si=m.getBoundingClientRect(),Qi("syncRect",Si))}function zi(e,t,s,i,a,n,r){I._lock||Ws&&null!=e&&0==e.movementX&&0==e.movementY||(Ei(e,t,s,i,a,n,0,!1,null!=e),null!=e?_i(null,!0,!0):_i(t,!0,!1))}function Ei(e,t,s,a,n,r,o,d,h){if(null==Si&&Ti(!1),Te(e),null!=e)s=e.clientX-Si.left,a=e.clientY-Si.top;else{if(s<0||a<0)return Is=-10,void(js=-10);let[e,i]=ta.scales,o=t.cursor.sync,[d,h]=o.values,[c,u]=o.scales,[p,m]=ta.match,g=t.axes[0].side%2==1,f=0==C.ori?ne:re,v=1==C.ori?ne:re,y=g?r:n,b=g?n:r,k=g?a:s,$=g?s:a;if(s=null!=c?p(e,c)?l(d,w[e],f,0):-10:f*(k/y),a=null!=u?m(i,u)?l(h,w[i],v,0):-10:v*($/b),1==C.ori){let e=s;s=a,a=e}}h&&(null==t||t.cursor.event.type==Tt)&&((s<=1||s>=ne-1)&&(s=qs(s,ne)),(a<=1||a>=re-1)&&(a=qs(a,re))),d?(ms=s,gs=a,[bs,Ss]=I.move(i,s,a)):(Is=s,js=a)}Object.defineProperty(i,"rect",{get:()=>(null==Si&&Ti(!1),Si)});let Ci,Mi,Ai,Di,Li={width:0,height:0,left:0,top:0};function Oi(){ri(Li,!1)}function Fi(e,t,s,a,n,r,l){Ws=!0,Hs=Xs=Fs._x=Fs._y=!1,Ei(e,t,s,a,n,r,0,!0,!1),null!=e&&(te(Et,Pt,Hi,!1),ha(zt,i,bs,Ss,ne,re,null));let{left:o,top:d,width:h,height:c}=si;Ci=o,Mi=d,Ai=h,Di=c}function Hi(e,t,s,a,n,r,l){Ws=Fs._x=Fs._y=!1,Ei(e,t,s,a,n,r,0,!1,!0);let{left:o,top:d,width:h,height:c}=si,u=h>0||c>0,p=Ci!=o||Mi!=d||Ai!=h||Di!=c;if(u&&p&&ri(si),Fs.setScale&&u&&p){let e=o,t=h,s=d,i=c;if(1==C.ori&&(e=d,t=c,s=o,i=h),Hs&&oi($,mi(e,$),mi(e+t,$)),Xs)for(let e in w){let t=w[e];e!=$&&null==t.from&&t.min!=Cs&&oi(e,mi(s+i,e),mi(s,e))}Oi()}else I.lock&&(I._lock=!I._lock,_i(t,!0,null!=e));null!=e&&(se(Et,Pt),ha(Et,i,Is,js,ne,re,null))}function Vi(e,t,s,a,n,r,l){I._lock||(Te(e),it(),Oi(),null!=e&&ha(At,i,Is,js,ne,re,null))}function Ki(){b.forEach(pn),xe(i.width,i.height,!0)}Xt(Lt,Ut,Ki);let Zi={};Zi.mousedown=Fi,Zi.mousemove=zi,Zi.mouseup=Hi,Zi.dblclick=Vi,Zi.setSeries=(e,t,s,a)=>{-1!=(s=(0,ta.match[2])(i,t,s))&&di(s,a,!0,!1)},q&&(te(zt,m,Fi),te(Tt,m,zi),te(Ct,m,e=>{Te(e),Ti(!1)}),te(Mt,m,(e,t,s,i,a,n,r)=>{if(I._lock)return;Te(e);let l=Ws;if(Ws){let e,t,s=!0,i=!0,a=10;0==C.ori?(e=Hs,t=Xs):(e=Xs,t=Hs),e&&t&&(s=Is<=a||Is>=ne-a,i=js<=a||js>=re-a),e&&s&&(Is=Is<bs?0:ne),t&&i&&(js=js<Ss?0:re),_i(null,!0,!0),Ws=!1}Is=-10,js=-10,U.fill(null),_i(null,!0,!0),l&&(Ws=l)}),te(At,m,Vi),Xa.add(i),i.syncRect=Ti);let Xi=i.hooks=e.hooks||{};function Qi(e,t,s){Rt?Gt.push([e,t,s]):e in Xi&&Xi[e].forEach(e=>{e.call(null,i,t,s)})}(e.plugins||[]).forEach(e=>{for(let t in e.hooks)Xi[t]=(Xi[t]||[]).concat(e.hooks[t])});let ea=(e,t,s)=>s,ta=ni({key:null,setSeries:!1,filters:{pub:Us,sub:Us},scales:[$,y[1]?y[1].scale:null],match:[Rs,Rs,ea],values:[null,null]},I.sync);2==ta.match.length&&ta.match.push(ea),I.sync=ta;let sa=ta.key,da=Ta(sa);function ha(e,t,s,i,a,n,r){ta.filters.pub(e,t,s,i,a,n,r)&&da.pub(e,t,s,i,a,n,r)}function ca(){Qi("init",e,t),st(t||e.data,!1),A[$]?Zt($,A[$]):it(),ke=si.show&&(si.width>0||si.height>0),we=$e=!0,xe(e.width,e.height)}return da.sub(i),i.pub=(e,t,s,i,a,n,r)=>{ta.filters.sub(e,t,s,i,a,n,r)&&Zi[e](null,t,s,i,a,n,r)},i.destroy=()=>{da.unsub(i),Xa.delete(i),ee.clear(),Qt(Lt,Ut,Ki),d.remove(),F?.remove(),Qi("destroy")},y.forEach(Ne),b.forEach((e,t)=>{if(e._show=e.show,e.show){let s=w[e.scale];null==s&&(e.scale=e.side%2?y[1].scale:$,s=w[e.scale]);let a=s.time;e.size=Ls(e.size),e.space=Ls(e.space),e.rotate=Ls(e.rotate),Zs(e.incrs)&&e.incrs.forEach(e=>{!Ys.has(e)&&Ys.set(e,Bs(e))}),e.incrs=Ls(e.incrs||(2==s.distr?$i:a?1==v?Ni:Ri:xi)),e.splits=Ls(e.splits||(a&&1==s.distr?O:3==s.distr?la:4==s.distr?oa:ra)),e.stroke=Ls(e.stroke),e.grid.stroke=Ls(e.grid.stroke),e.ticks.stroke=Ls(e.ticks.stroke),e.border.stroke=Ls(e.border.stroke);let n=e.values;e.values=Zs(n)&&!Zs(n[0])?Ls(n):a?Zs(n)?Wi(D,qi(n,L)):Qs(n)?((e,t)=>{let s=fi(t);return(t,i,a,n,r)=>i.map(t=>s(e(t)))})(D,n):n||N:n||na,e.filter=Ls(e.filter||(s.distr>=3&&10==s.log?ma:3==s.distr&&2==s.log?ga:Ns)),e.font=un(e.font),e.labelFont=un(e.labelFont),e._size=e.size(i,null,t,0),e._space=e._rotate=e._incrs=e._found=e._splits=e._values=null,e._size>0&&(Pe[t]=!0,e._el=Ft("u-axis",u))}}),s?s instanceof HTMLElement?(s.appendChild(d),ca()):s(i,ca):ca(),i}mn.assign=ni,mn.fmtNum=gs,mn.rangeNum=cs,mn.rangeLog=rs,mn.rangeAsinh=ls,mn.orient=za,mn.pxRatio=gt,mn.join=(e,t)=>{if((e=>{let t=e[0][0],s=t.length;for(let i=1;i<e.length;i++){let a=e[i][0];if(a.length!=s)return!1;if(a!=t)for(let e=0;e<s;e++)if(a[e]!=t[e])return!1}return!0})(e)){let t=e[0].slice();for(let s=1;s<e.length;s++)t.push(...e[s].slice(1));return((e,t=100)=>{let s=e.length;if(s<=1)return!0;let i=0,a=s-1;for(;i<=a&&null==e[i];)i++;for(;a>=i&&null==e[a];)a--;if(a<=i)return!0;let n=xs(1,bs((a-i+1)/t));for(let t=e[i],s=i+n;s<=a;s+=n){let i=e[s];if(null!=i){if(i<=t)return!1;t=i}}return!0})(t[0])||(t=(e=>{let t=e[0],s=t.length,i=Array(s);for(let e=0;e<i.length;e++)i[e]=e;i.sort((e,s)=>t[e]-t[s]);let a=[];for(let t=0;t<e.length;t++){let n=e[t],r=Array(s);for(let e=0;e<s;e++)r[e]=n[i[e]];a.push(r)}return a})(t)),t}let s=new Set;for(let t=0;t<e.length;t++){let i=e[t][0],a=i.length;for(let e=0;e<a;e++)s.add(i[e])}let i=[Array.from(s).sort((e,t)=>e-t)],a=i[0].length,n=new Map;for(let e=0;e<a;e++)n.set(i[0][e],e);for(let s=0;s<e.length;s++){let r=e[s],l=r[0];for(let e=1;e<r.length;e++){let o=r[e],d=Array(a).fill(void 0),h=t?t[s][e]:1,c=[];for(let e=0;e<o.length;e++){let t=o[e],s=n.get(l[e]);null===t?0!=h&&(d[s]=t,2==h&&c.push(s)):d[s]=t}ri(d,c,a),i.push(d)}}return i},mn.fmtDate=fi,mn.tzDate=(e,t)=>{let s;return"UTC"==t||"Etc/UTC"==t?s=new Date(+e+6e4*e.getTimezoneOffset()):t==vi?s=e:(s=new Date(e.toLocaleString("en-US",{timeZone:t})),s.setMilliseconds(e.getMilliseconds())),s},mn.sync=Ta;{mn.addGap=(e,t,s)=>{let i=e[e.length-1];i&&i[0]==t?i[1]=s:e.push([t,s])},mn.clipGaps=Aa;let e=mn.paths={points:Ya};e.linear=Ka,e.stepped=e=>{let t=us(e.align,1),s=us(e.ascDesc,!1),i=us(e.alignGaps,0),a=us(e.extend,!1);return(e,n,r,l)=>za(e,n,(o,d,h,c,u,p,m,g,f,v,y)=>{[r,l]=as(h,r,l);let b=o.pxRound,{left:w,width:k}=e.bbox,$=e=>b(p(e,c,v,g)),x=e=>b(m(e,u,y,f)),_=0==c.ori?Ua:Ra,S={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},T=S.stroke,z=c.dir*(0==c.ori?1:-1),E=x(h[1==z?r:l]),C=$(d[1==z?r:l]),M=C,A=C;a&&-1==t&&(A=w,_(T,A,E)),_(T,C,E);for(let e=1==z?r:l;e>=r&&e<=l;e+=z){let s=h[e];if(null==s)continue;let i=$(d[e]),a=x(s);1==t?_(T,i,E):_(T,M,a),_(T,i,a),E=a,M=i}let D=M;a&&1==t&&(D=w+k,_(T,D,E));let[L,O]=Ea(e,n);if(null!=o.fill||0!=L){let t=S.fill=new Path2D(T),s=x(o.fillTo(e,n,o.min,o.max,L));_(t,D,s),_(t,A,s)}if(!o.spanGaps){let a=[];a.push(...Da(d,h,r,l,z,$,i));let u=o.width*gt/2,p=s||1==t?u:-u,m=s||-1==t?-u:u;a.forEach(e=>{e[0]+=p,e[1]+=m}),S.gaps=a=o.gaps(e,n,r,l,a),S.clip=Aa(a,c.ori,g,f,v,y)}return 0!=O&&(S.band=2==O?[Ma(e,n,r,l,T,-1),Ma(e,n,r,l,T,1)]:Ma(e,n,r,l,T,O)),S})},e.bars=e=>{let t=us((e=e||Vs).size,[.6,Cs,1]),s=e.align||0,i=e.gap||0,a=e.radius;a=null==a?[0,0]:"number"==typeof a?[a,0]:a;let n=Ls(a),r=1-t[0],l=us(t[1],Cs),o=us(t[2],1),d=us(e.disp,Vs),h=us(e.each,e=>{}),{fill:c,stroke:u}=d;return(e,t,a,p)=>za(e,t,(m,g,f,v,y,b,w,k,$,x,_)=>{let S,T,z=m.pxRound,E=s,C=i*gt,M=l*gt,A=o*gt;0==v.ori?[S,T]=n(e,t):[T,S]=n(e,t);let D,L,O,N=v.dir*(0==v.ori?1:-1),P=0==v.ori?Ia:ja,U=0==v.ori?h:(e,t,s,i,a,n,r)=>{h(e,t,s,a,i,r,n)},R=us(e.bands,Ks).find(e=>e.series[0]==t),I=m.fillTo(e,t,m.min,m.max,null!=R?R.dir:0),j=z(w(I,y,_,$)),q=x,W=z(m.width*gt),F=!1,G=null,Y=null,B=null,H=null;null!=c&&(0==W||null!=u)&&(F=!0,G=c.values(e,t,a,p),Y=new Map,new Set(G).forEach(e=>{null!=e&&Y.set(e,new Path2D)}),W>0&&(B=u.values(e,t,a,p),H=new Map,new Set(B).forEach(e=>{null!=e&&H.set(e,new Path2D)})));let{x0:V,size:K}=d;if(null!=V&&null!=K){E=1,g=V.values(e,t,a,p),2==V.unit&&(g=g.map(t=>e.posToVal(k+t*x,v.key,!0)));let s=K.values(e,t,a,p);L=2==K.unit?s[0]*x:b(s[0],v,x,k)-b(0,v,x,k),q=Ja(g,f,b,v,x,k,q),O=q-L+C}else q=Ja(g,f,b,v,x,k,q),O=q*r+C,L=q-O;O<1&&(O=0),W>=L/2&&(W=0),O<5&&(z=Os);let J=O>0;L=z(As(q-O-(J?W:0),A,M)),D=(0==E?L/2:E==N?0:L)-E*N*((0==E?C/2:0)+(J?W/2:0));let Z={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},X=F?null:new Path2D,Q=null;if(null!=R)Q=e.data[R.series[1]];else{let{y0:s,y1:i}=d;null!=s&&null!=i&&(f=i.values(e,t,a,p),Q=s.values(e,t,a,p))}let ee=S*L,te=T*L;for(let s=1==N?a:p;s>=a&&s<=p;s+=N){let i=f[s];if(null==i)continue;if(null!=Q){let e=Q[s]??0;if(i-e==0)continue;j=w(e,y,_,$)}let a=b(2!=v.distr||null!=d?g[s]:s,v,x,k),n=w(us(i,I),y,_,$),r=z(a-D),l=z(xs(n,j)),o=z($s(n,j)),h=l-o;if(null!=i){let a=i<0?te:ee,n=i<0?ee:te;F?(W>0&&null!=B[s]&&P(H.get(B[s]),r,o+bs(W/2),L,xs(0,h-W),a,n),null!=G[s]&&P(Y.get(G[s]),r,o+bs(W/2),L,xs(0,h-W),a,n)):P(X,r,o+bs(W/2),L,xs(0,h-W),a,n),U(e,t,s,r-W/2,o,L+W,h)}}return W>0?Z.stroke=F?H:X:F||(Z._fill=0==m.width?m._fill:m._stroke??m._fill,Z.width=0),Z.fill=F?Y:X,Z})},e.spline=e=>((e,t)=>{let s=us(t?.alignGaps,0);return(t,i,a,n)=>za(t,i,(r,l,o,d,h,c,u,p,m,g,f)=>{[a,n]=as(o,a,n);let v,y,b,w=r.pxRound,k=e=>w(c(e,d,g,p)),$=e=>w(u(e,h,f,m));0==d.ori?(v=Na,b=Ua,y=Fa):(v=Pa,b=Ra,y=Ga);let x=d.dir*(0==d.ori?1:-1),_=k(l[1==x?a:n]),S=_,T=[],z=[];for(let e=1==x?a:n;e>=a&&e<=n;e+=x)if(null!=o[e]){let t=k(l[e]);T.push(S=t),z.push($(o[e]))}let E={stroke:e(T,z,v,b,y,w),fill:null,clip:null,band:null,gaps:null,flags:1},C=E.stroke,[M,A]=Ea(t,i);if(null!=r.fill||0!=M){let e=E.fill=new Path2D(C),s=$(r.fillTo(t,i,r.min,r.max,M));b(e,S,s),b(e,_,s)}if(!r.spanGaps){let e=[];e.push(...Da(l,o,a,n,x,k,s)),E.gaps=e=r.gaps(t,i,a,n,e),E.clip=Aa(e,d.ori,p,m,g,f)}return 0!=A&&(E.band=2==A?[Ma(t,i,a,n,C,-1),Ma(t,i,a,n,C,1)]:Ma(t,i,a,n,C,A)),E})})(Za,e)}var gn=["--aisha-accent","--aisha-good","--aisha-warn","--aisha-danger","--aisha-muted"],fn="11px system-ui, sans-serif",vn=class extends u{constructor(){super(...arguments),this.caption="",this.labels=[],this.series=[],this.format=String,this.theme="",this.observer=new ResizeObserver(()=>this.fit())}disconnectedCallback(){super.disconnectedCallback(),this.observer.disconnect(),this.plot?.destroy(),this.plot=void 0}render(){return h`<div class="plot" aria-hidden="true"></div>
${this.series.length>1?h`<div class="legend" aria-hidden="true">
${this.series.map((e,t)=>h`<span><i class="c${t%gn.length}"></i>${e.name}</span>`)}
</div>`:""}
<table class="hidden-text">
<caption>
${this.caption}
</caption>
<tr>
<td></td>
${this.series.map(e=>h`<th scope="col">${e.name}</th>`)}
</tr>
${this.labels.map((e,t)=>h`<tr>
<th scope="row">${e}</th>
${this.series.map(e=>h`<td>${this.format(e.values[t]??0)}</td>`)}
</tr>`)}
</table>`}updated(){this.draw()}get box(){return this.renderRoot.querySelector(".plot")}fit(){let e=this.box?.clientWidth??0;e&&this.plot&&this.plot.width!==e&&this.plot.setSize({width:e,height:220})}draw(){this.plot?.destroy();let e=getComputedStyle(this),t=t=>e.getPropertyValue(t).trim(),s={stroke:t("--aisha-muted"),grid:{stroke:t("--aisha-line"),width:1},ticks:{show:!1},font:fn},i=this.series.map((e,t)=>this.labels.map((e,s)=>this.series.slice(0,t+1).reduce((e,t)=>e+(t.values[s]??0),0))),a=this.series.map((e,t)=>t).toReversed(),n=mn.paths.bars({size:[.6,48],radius:.15});this.plot=new mn({width:this.box.clientWidth||320,height:220,padding:[8,0,0,0],legend:{show:!1},cursor:{show:!1},select:{show:!1,left:0,top:0,width:0,height:0},scales:{x:{time:!1,range:[-.6,this.labels.length-.4]},y:{range:(e,t,s)=>[0,s>0?1.08*s:1]}},axes:[{...s,size:()=>10+16*Math.max(1,...this.wrapped().map(e=>e.split("\n").length)),grid:{show:!1},splits:()=>this.labels.map((e,t)=>t),values:()=>this.wrapped()},{...s,size:(e,t)=>this.axisWidth(t),values:(e,t)=>t.map(e=>this.format(e))}],series:[{},...a.map(e=>({label:this.series[e].name,fill:t(gn[e%gn.length]),stroke:t(gn[e%gn.length]),width:0,points:{show:!1},paths:n}))]},[this.labels.map((e,t)=>t),...a.map(e=>i[e])],this.box),this.observer.observe(this.box)}axisWidth(e){let t=document.createElement("canvas").getContext("2d");return t.font=fn,Math.max(54,...(e??[]).map(e=>Math.ceil(t.measureText(e).width)+5))}wrapped(){let e=((this.box.clientWidth||320)-54)/Math.max(1,this.labels.length),t=Math.ceil(28/e),s=document.createElement("canvas").getContext("2d");s.font=fn;let i=i=>s.measureText(i).width<=e*t-5,a=e=>{let t=e.length;for(;t>1&&!i(t<e.length?`${e.slice(0,t)}…`:e);)t-=1;return t<e.length?`${e.slice(0,t)}…`:e};return this.labels.map((e,s)=>{if(s%t)return"";if(i(e))return e;let[n="",...r]=e.split(" ");return[n,r.join(" ")].filter(Boolean).map(a).join("\n")})}};vn.styles=[T,Je,d`.plot{direction:ltr;block-size:220px}.uplot,.uplot *,.uplot *:before,.uplot *:after{box-sizing:border-box}.u-wrap{position:relative;user-select:none}.u-over,.u-under{position:absolute}.uplot canvas{display:block;position:relative;inline-size:100%;block-size:100%}.u-axis{position:absolute}.legend{display:flex;flex-wrap:wrap;gap:var(--aisha-3);margin-block-start:var(--aisha-2);color:var(--aisha-muted)}.legend i{display:inline-block;inline-size:10px;block-size:10px;border-radius:3px;margin-inline-end:6px}.c0{background:var(--aisha-accent)}.c1{background:var(--aisha-good)}.c2{background:var(--aisha-warn)}.c3{background:var(--aisha-danger)}.c4{background:var(--aisha-muted)}`],O([p()],vn.prototype,"caption",2),O([p({attribute:!1})],vn.prototype,"labels",2),O([p({attribute:!1})],vn.prototype,"series",2),O([p({attribute:!1})],vn.prototype,"format",2),O([p()],vn.prototype,"theme",2),vn=O([$("desk-chart")],vn);var yn=class{constructor(e,t){this.host=e,this.ask=t,this.value=null,this.error="",this.attempt=0,e.addController(this)}hostConnected(){this.load()}async load(){let e=this.attempt+=1;this.error="";try{let t=await this.ask();e===this.attempt&&(this.value=t)}catch(t){e===this.attempt&&(this.error=Ae(t))}this.host.requestUpdate()}show(e){return this.error?tt(this.error,()=>this.load()):null===this.value?st():e(this.value)}},bn=class extends u{constructor(){super(...arguments),this.theme="",this.loader=new yn(this,()=>b(this.desk.api.rest.GET("/api/ai/analytics")))}render(){return this.loader.show(e=>this.summary(e))}summary(e){if(!e.totalCommands)return et("No commands yet. Ask the assistant something.");let t=e.performanceMetrics,s=(e,t)=>h`<div class="card"><strong>${t}</strong><span class="muted">${e}</span></div>`,i=e=>null==e?"—":Ce(e),a=e.mostFrequentCommands;return h`<div class="figures">
${s("Commands",ke(e.totalCommands))} ${s("Succeeded",`${ke(e.successRate)}%`)}
${s("Whole command",i(t.avgTotalMs))} ${s("Model",i(t.avgLlmMs))}
${s("Speech to text",i(t.avgSttMs))} ${s("Text to speech",i(t.avgTtsMs))}
</div>
<div class="grid">
<section class="card">
<h2>Most frequent</h2>
<desk-chart
caption="Most frequent commands"
.labels=${a.map(e=>e.commandName)}
.series=${[{name:"Times",values:a.map(e=>e.count)}]}
.format=${ke}
theme=${this.theme}
></desk-chart>
</section>
<section class="card">
<h2>Latest failures</h2>
${e.recentFailures.length?h`<dl class="fields">
${e.recentFailures.map(e=>h`<dt>${e.commandName}<br />${Se(e.timestamp)}</dt>
<dd>${e.errorMessage}</dd>`)}
</dl>`:h`<p class="muted">None of the last ${ke(e.commandsRead)} commands failed.</p>`}
</section>
</div>
${e.truncated?h`<p class="muted">Older commands are left out.</p>`:c}`}};bn.styles=[T,Je,d`.figures{display:grid;gap:var(--aisha-3);grid-template-columns:repeat(auto-fit,minmax(140px,1fr));margin-block-end:var(--aisha-4)}.figures strong{display:block;font-size:22px}`],O([p({attribute:!1})],bn.prototype,"desk",2),O([p()],bn.prototype,"theme",2),bn=O([$("desk-analytics")],bn);var wn=class extends u{constructor(){super(...arguments),this.isSaving=!1,this.loader=new yn(this,()=>b(this.desk.api.rest.GET("/api/ai/profile")))}render(){return this.loader.show(e=>this.form(e))}form(e){let t=e.admin;return h`<form @submit=${e=>this.save(e,t.version)}>
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
${Le.map(t=>h`<label class="field"
>${Pe(t,{})}
<input
name="label.${t.type}"
maxlength="60"
.value=${e.labels[t.type]??""}
placeholder=${Pe(t,{})}
/>
</label>`)}
</fieldset>
<div class="row">
<button class="button primary" ?disabled=${this.isSaving}>Save</button>
<span class="muted">
Plan ${Ee(t.plan)}${t.provider?`, models of ${Ee(t.provider)} alone`:""};
${t.masksContacts?"addresses and numbers are masked for models":"contact data is not masked"}. The
operator sets these.
</span>
</div>
</form>`}async save(e,t){e.preventDefault();let s=new FormData(e.target),i=e=>String(s.get(e)??"").trim(),a=i("persona").split("\n").map(e=>e.trim()),n=Le.map(e=>[e.type,i(`label.${e.type}`)]).filter(([,e])=>e);this.isSaving=!0;try{let e={assistantName:i("name"),persona:a.filter(Boolean),labels:Object.fromEntries(n),version:t};await this.desk.api.rest.PATCH("/api/ai/profile",{body:e}),this.desk.tell("Saved. It holds within a minute; load the page again to see the new words.")}catch(e){this.desk.tell(Ae(e),!0)}this.isSaving=!1,await this.loader.load()}};wn.styles=[T,Je,d`form{display:grid;gap:var(--aisha-4);max-inline-size:640px}textarea{min-block-size:120px;resize:vertical}fieldset{display:grid;gap:var(--aisha-3);grid-template-columns:repeat(auto-fit,minmax(160px,1fr));margin:0;padding:0;border:0}legend{font-weight:600;margin-block-end:var(--aisha-2)}`],O([p({attribute:!1})],wn.prototype,"desk",2),O([m()],wn.prototype,"isSaving",2),wn=O([$("desk-assistant-profile")],wn);var kn=["executed","failed","rejected","pending","not_found","intended","unreadable"],$n=class extends u{constructor(){super(...arguments),this.filters={},this.log=new yn(this,()=>this.page()),this.chain=new yn(this,()=>b(this.desk.api.rest.GET("/api/ai/audit/verification")))}render(){return h`${this.chain.show(e=>h`<section class="card">
<h2>Chain ${Xe(e.isIntact?"intact":"broken",e.isIntact?"good":"bad")}</h2>
<p>
${ke(e.entries)} entries, each with the hash of the one before.
${e.isIntact?"None was changed, moved or removed.":c}
</p>
${e.problems.map(e=>h`<p class="error">${e}</p>`)}
${e.entries?h`<p class="muted">
Keep the last hash elsewhere to notice a log that was written anew: <code>${e.head.hash}</code>
</p>`:c}
</section>`)}
<form @submit=${this.filter}>
<label class="field">Tool <input name="tool" placeholder="update_lead" /></label>
<label class="field">User <input name="user" placeholder="alice" /></label>
<label class="field">Record <input name="entity" placeholder="Name or id" /></label>
<label class="field"
>Status
<select name="status">
<option value="">Any</option>
${kn.map(e=>h`<option value=${e}>${Ee(e)}</option>`)}
</select>
</label>
<button class="button primary">Filter</button>
</form>
${this.log.show(e=>this.table(e))}`}table(e){return e.items.length?h`<div class="scroll" tabindex="0" role="region" aria-label="Audit log">
<table>
<thead>
<tr>
${["Time","User","Through","Tool","Status","What it did"].map(e=>h`<th scope="col">${e}</th>`)}
</tr>
</thead>
<tbody>
${e.items.map(e=>h`<tr>
<td>${Se(e.at)}</td>
<td>${Ee(e.user)}</td>
<td>${e.door}</td>
<td>${e.tool}</td>
<td>
${Xe(e.status)} ${"normal"===e.severity?c:Xe(e.severity,"warn")}
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
${e.nextCursor?h`<button class="button" @click=${()=>this.more(e)}>Show more</button>`:c}`:et(Object.keys(this.filters).length>0?"No call fits these filters.":"No tool has been called yet. Ask the assistant something.")}page(e){let t={...this.filters,limit:30,...e?{cursor:e}:{}};return b(this.desk.api.rest.GET("/api/ai/audit",{params:{query:t}}))}async more(e){try{let t=await this.page(e.nextCursor);this.log.value={...t,items:[...e.items,...t.items]},this.requestUpdate()}catch(e){this.desk.tell(Ae(e),!0)}}filter(e){e.preventDefault();let t=[...new FormData(e.target)].map(([e,t])=>[e,String(t).trim()]).filter(([,e])=>e);this.filters=Object.fromEntries(t),this.log.load()}};$n.styles=[T,Je,d`form{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,130px),1fr));gap:var(--aisha-3);align-items:end;margin-block:var(--aisha-4)}form :is(input,select){inline-size:100%;block-size:38px}form .button{justify-self:start;block-size:38px}pre{padding:var(--aisha-2);background:var(--aisha-sunken);border-radius:var(--aisha-radius-s);max-block-size:320px;overflow:auto}`],O([p({attribute:!1})],$n.prototype,"desk",2),O([m()],$n.prototype,"filters",2),$n=O([$("desk-audit")],$n);var xn=class extends u{constructor(){super(...arguments),this.deleting="",this.loader=new yn(this,()=>b(this.desk.api.rest.GET("/api/ai/documents")))}render(){return h`<p class="muted head">What the assistant reads when a question is about your own rules and products.</p>
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
</form>`}table(e){return e.items.length?h`<div class="scroll" tabindex="0" role="region" aria-label="Documents">
<table>
<thead>
<tr>
<th scope="col">Title</th>
<th scope="col">What it is about</th>
<th scope="col"><span class="hidden-text">Actions</span></th>
</tr>
</thead>
<tbody>
${e.items.map(e=>h`<tr>
<td class="name">${e.title}</td>
<td class="name">${e.description}</td>
<td class="number">${this.actions(e)}</td>
</tr>`)}
</tbody>
</table>
</div>`:et("There are no documents yet.")}actions(e){return this.deleting!==e.id?h`<button class="button" @click=${()=>this.deleting=e.id}>
Delete<span class="hidden-text"> ${e.title}</span>
</button>`:h`<span class="row">
<button class="button danger" @click=${()=>this.discard(e)}>Delete for good</button>
<button class="button" @click=${()=>this.deleting=""}>Keep</button>
</span>`}async read(e){let t=e.target.files?.[0];if(!t)return;let s=e.target.form;s.elements.namedItem("text").value=await t.text();let i=s.elements.namedItem("title");i.value||=t.name.replace(/\.\w+$/,"").replace(/[-_]+/g," ")}async add(e){e.preventDefault();let t=e.target,s=new FormData(t),i=e=>String(s.get(e)??""),a=i("title").toLowerCase().replace(/[^a-z0-9]+/g,"-").replace(/^-+|-+$/g,"").slice(0,60)||"document";await this.try(async()=>{let e={title:i("title"),description:i("description"),text:i("text")};await this.desk.api.rest.PUT("/api/ai/documents/{id}",{params:{path:{id:a}},body:e}),t.reset(),this.desk.tell("Saved. The assistant reads it from now on.")})}async discard(e){this.deleting="",await this.try(()=>this.desk.api.rest.DELETE("/api/ai/documents/{id}",{params:{path:{id:e.id}}}))}async try(e){try{await e()}catch(e){this.desk.tell(Ae(e),!0)}await this.loader.load()}};xn.styles=[T,Je,d`form{display:grid;gap:var(--aisha-3);max-inline-size:640px;margin-block-start:var(--aisha-4)}textarea{min-block-size:160px;resize:vertical}`],O([p({attribute:!1})],xn.prototype,"desk",2),O([m()],xn.prototype,"deleting",2),xn=O([$("desk-documents")],xn);var _n=class extends u{constructor(){super(...arguments),this.sweep=new yn(this,()=>b(this.desk.api.rest.GET("/api/ai/sweeps"))),this.health=new yn(this,()=>b(this.desk.api.rest.GET("/health")))}render(){return h`<div class="head">
<button class="button end" @click=${this.refresh}>Refresh</button>
</div>
<div class="grid">
<section class="card">
<h2>Health</h2>
${this.health.show(e=>h`<dl class="fields">
${e.dependencies.map(e=>h`<dt>${Ee(e.name)}</dt>
<dd>
${Xe(e.state)}
<span class="muted">${e.detail??""} ${Ce(e.durationMs)}</span>
</dd>`)}
</dl>`)}
</section>
<section class="card stack">
<h2>Last sweep</h2>
${this.sweep.show(e=>this.state(e))}
</section>
</div>`}state(e){return h`<dl class="fields">
<dt>State</dt>
<dd>${Xe(e.status)}</dd>
<dt>Every day</dt>
<dd>
${e.isEnrolled?"Yes":"Not yet: it begins when somebody runs a scan or saves their notification settings"}
</dd>
${e.startedAt?h`<dt>Began</dt>
<dd>${Se(e.startedAt)}</dd>
<dt>Records</dt>
<dd>
${ke(e.recordsExamined??0)} on ${ke(e.pages??0)}
pages${e.truncated?", not all":""}
</dd>`:c}
${e.scans.map(e=>h`<dt>${Ee(e.scanType)}</dt>
<dd>
${ke(e.findings)} found, ${ke(e.newFindings)} new
${e.failedPages?Xe(`${e.failedPages} pages failed`,"bad"):c}
</dd>`)}
</dl>
<h2>Open jobs</h2>
${e.jobs.length?h`<dl class="fields">
${e.jobs.map(e=>h`<dt>${e.name}</dt>
<dd>${Xe(e.status,"running"===e.status?"accent":"")}</dd>`)}
</dl>`:h`<p class="muted">None.</p>`}`}refresh(){this.sweep.load(),this.health.load()}};_n.styles=[T,Je],O([p({attribute:!1})],_n.prototype,"desk",2),_n=O([$("desk-operations")],_n);var Sn={none:"Runs when it is ordered",destructive:"Asks before it deletes",always:"Always asks"},Tn={read:"",write:"accent",delete:"bad",external:"warn"},zn=class extends u{constructor(){super(...arguments),this.loader=new yn(this,async()=>{let{rest:e}=this.desk.api,[t,s]=await Promise.all([b(e.GET("/api/ai/tools")),b(e.GET("/api/ai/profile"))]);return{tools:t.items,admin:s.admin}})}render(){return h`<p class="muted head">
A rule holds for everyone and only restricts: “ask” makes a tool wait for a yes, “deny” takes it away. Whatever
deletes or leaves the CRM asks in any case.
</p>
${this.loader.show(e=>this.table(e))}`}table({tools:e,admin:t}){let s=new Set(e.map(e=>e.name)),i=Object.keys(t.rules).filter(e=>!s.has(e)),a=e.toSorted((e,t)=>e.toolkit.localeCompare(t.toolkit)||e.name.localeCompare(t.name));return h`<div class="scroll" tabindex="0" role="region" aria-label="Tools">
<table>
<thead>
<tr>
${["Tool","Toolkit","Access","Confirmation","Module","Rule"].map(e=>h`<th scope="col">${e}</th>`)}
</tr>
</thead>
<tbody>
${i.map(e=>h`<tr>
<td class="name"><strong>${e}</strong></td>
<td colspan="4" class="muted">Taken away by its rule</td>
<td>${this.rule(e,t)}</td>
</tr>`)}
${a.map(e=>{return h`<tr>
<td class="name"><strong>${e.name}</strong><br /><span class="muted">${s=e,s.description.split("\n")[0]??""}</span></td>
<td>${Ee(e.toolkit)}</td>
<td>${Xe(e.access,Tn[e.access]??"")}</td>
<td>${Sn[e.confirmation]??e.confirmation}</td>
<td>${e.module?Ee(e.module):"—"}</td>
<td>${this.rule(e.name,t)}</td>
</tr>`;var s})}
</tbody>
</table>
</div>`}rule(e,t){let s=t.rules[e]??"";return h`<select
aria-label="Rule for ${e}"
.value=${s}
@change=${s=>this.change(e,s.target.value,t)}
>
${[["","No rule"],["allow","Allow"],["ask","Ask"],["deny","Deny"]].map(([e,t])=>h`<option value=${e} ?selected=${e===s}>${t}</option>`)}
</select>`}async change(e,t,s){let{[e]:i,...a}=s.rules,n=t?{...a,[e]:t}:a;try{await this.desk.api.rest.PATCH("/api/ai/profile",{body:{rules:n,version:s.version}}),this.desk.tell(`The rule for ${e} is saved. It holds within a minute.`)}catch(e){this.desk.tell(Ae(e),!0)}await this.loader.load()}};zn.styles=[T,Je],O([p({attribute:!1})],zn.prototype,"desk",2),zn=O([$("desk-tools")],zn);var En="*",Cn={allow:"Allow",ask:"Ask",deny:"Deny"},Mn={allow:"good",ask:"warn",deny:"bad"},An=class extends u{constructor(){super(...arguments),this.busy="",this.outcome=null,this.loader=new yn(this,async()=>{let{rest:e}=this.desk.api,[t,s]=await Promise.all([b(e.GET("/api/ai/tools")),b(e.GET("/api/ai/profile"))]),i=s.admin,a=[...Object.values(i.trust).flat(),...Object.values(i.roleRules).flatMap(Object.keys)],n=[...new Set([...s.roles,...a])].filter(e=>e!==En).sort();return{tools:t.items.toSorted((e,t)=>e.name.localeCompare(t.name)),admin:i,roles:n}})}render(){return h`${this.loader.show(e=>h`${this.trust(e)} ${this.rules(e)}`)}`}trust(e){let{trust:t}=e.admin,s=e.tools.filter(e=>"write"===e.access);return h`<section class="card">
<h2>Trust</h2>
<p class="muted">
The assistant asks before a write that the user’s own words do not order, such as a note that it would add by
itself. A role that you trust with a tool is not asked about these. Deletions, email, changes of more than ten
records and whatever lasts are asked about in any case.
</p>
${Object.keys(t).length?this.table(["Tool","Trusted roles"],Object.entries(t).flatMap(([e,s])=>s.map(i=>this.row(e,[Ln(i)],"trust",`${e} for ${Ln(i)}`,()=>({trust:On({...t,[e]:s.filter(e=>e!==i)})}))))):h`<p>Nobody is trusted further: everyone is asked.</p>`}
<form @submit=${t=>this.addTrust(t,e.admin)}>
${this.toolField(s)} ${this.roleField(e.roles,"trust")}
<button class="button primary" ?disabled=${""!==this.busy}>Trust</button>
</form>
${this.told("trust")}
</section>`}rules(e){let{roleRules:t}=e.admin;return h`<section class="card">
<h2>Rules by role</h2>
<p class="muted">
“Ask” makes a tool wait for a yes from users with the role, “deny” takes it away from them. The strictest of all
rules that apply holds, also of those under <a href="#/console/tools">Tools</a>, so “allow” loosens nothing.
</p>
${Object.keys(t).length?this.table(["Tool","Role","Rule"],Object.entries(t).flatMap(([e,s])=>Object.entries(s).map(([i,a])=>this.row(e,[i,Xe(Cn[a],Mn[a])],"roleRules",`${e} for ${i}`,()=>{let{[i]:a,...n}=s;return{roleRules:On({...t,[e]:n})}})))):h`<p>There are no rules for single roles.</p>`}
<form @submit=${t=>this.addRule(t,e.admin)}>
${this.toolField(e.tools)} ${this.roleField(e.roles,"rules")}
<label class="field">
Rule
<select name="verdict">
${Object.entries(Cn).map(([e,t])=>h`<option value=${e} ?selected=${"ask"===e}>${t}</option>`)}
</select>
</label>
<button class="button primary" ?disabled=${""!==this.busy}>Add rule</button>
</form>
${this.told("roleRules")}
</section>`}table(e,t){return h`<div class="scroll" tabindex="0" role="region" aria-label=${e.join(", ")}>
<table>
<thead>
<tr>
${e.map(e=>h`<th scope="col">${e}</th>`)}
<th scope="col"><span class="hidden-text">Actions</span></th>
</tr>
</thead>
<tbody>
${t}
</tbody>
</table>
</div>`}row(e,t,s,i,a){return h`<tr>
<td class="name"><strong>${e}</strong></td>
${t.map(e=>h`<td>${e}</td>`)}
<td>
<button
class="button"
?disabled=${""!==this.busy}
@click=${()=>this.save(s,a(),`Removed: ${i}.`)}
>
Remove<span class="hidden-text"> ${i}</span>
</button>
</td>
</tr>`}toolField(e){return h`<label class="field">
Tool
<select name="tool" required>
<option value="">Choose a tool</option>
${e.map(e=>h`<option value=${e.name}>${e.name}</option>`)}
</select>
</label>`}roleField(e,t){return h`<label class="field">
Role
<input name="role" required maxlength="60" list="${t}-roles" autocomplete="off" placeholder="e.g. manager" />
<datalist id="${t}-roles">
${"trust"===t?h`<option value=${Ln(En)}></option>`:c}
${e.map(e=>h`<option value=${e}></option>`)}
</datalist>
</label>`}told(e){if(this.outcome?.part!==e)return c;let{text:t,isError:s}=this.outcome;return h`<p class=${s?"error":"done"} role=${s?"alert":"status"}>${t}</p>`}addTrust(e,{trust:t}){let{form:s,tool:i,role:a}=Dn(e),n=a.toLowerCase()===Ln(En).toLowerCase()?En:a,r=[...new Set([...t[i]??[],n])];this.save("trust",{trust:{...t,[i]:r}},`${Ln(n)}: trusted with ${i}.`,s)}addRule(e,{roleRules:t}){let{form:s,tool:i,role:a,verdict:n}=Dn(e),r={...t[i],[a]:n},l=`${a}: the rule for ${i} is “${Cn[n].toLowerCase()}”.`;this.save("roleRules",{roleRules:{...t,[i]:r}},l,s)}async save(e,t,s,i){let{version:a}=this.loader.value.admin;this.busy=e,this.outcome=null;try{await this.desk.api.rest.PATCH("/api/ai/profile",{body:{...t,version:a}}),i?.reset(),this.outcome={part:e,text:`Saved. ${s} It holds within a minute.`,isError:!1}}catch(t){this.outcome={part:e,text:Ae(t),isError:!0}}await this.loader.load(),this.busy=""}};function Dn(e){e.preventDefault();let t=e.target,s=new FormData(t),i=e=>String(s.get(e)??"").trim();return{form:t,tool:i("tool"),role:i("role"),verdict:i("verdict")}}function Ln(e){return e===En?"All roles":e}function On(e){return Object.fromEntries(Object.entries(e).filter(([,e])=>Object.keys(e).length))}An.styles=[T,Je,d`:host{display:grid;gap:var(--aisha-4);max-inline-size:900px}.card{display:grid;gap:var(--aisha-3)}h2,.card p{margin:0}.card p{max-inline-size:72ch}form{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,170px),1fr));gap:var(--aisha-3);align-items:end}form :is(select,input){inline-size:100%;block-size:38px}form .button{justify-self:start;block-size:38px}td:last-child{text-align:end}.done{color:var(--aisha-good)}`],O([p({attribute:!1})],An.prototype,"desk",2),O([m()],An.prototype,"busy",2),O([m()],An.prototype,"outcome",2),An=O([$("desk-trust")],An);var Nn=class extends u{constructor(){super(...arguments),this.messageId="",this.loader=new yn(this,()=>b(this.desk.api.rest.GET("/api/ai/turns/{id}",{params:{path:{id:this.messageId}}})))}willUpdate(e){e.get("messageId")&&this.loader.load()}render(){return h`<p class="head"><a class="link" href="#/console/turns">All turns</a></p>
${this.loader.show(e=>this.turn(e))}`}turn(e){return h`<div class="grid">
<section class="card">
<h2>Turn ${Xe(e.status)}</h2>
<dl class="fields">
<dt>When</dt>
<dd>${Se(e.at)}</dd>
<dt>User</dt>
<dd>${Ee(e.user)}, through ${e.door}</dd>
<dt>Mode</dt>
<dd>${Ee(e.mode)}</dd>
<dt>Model</dt>
<dd>${e.provider}: ${e.model} ${e.degraded?Xe("degraded","warn"):c}</dd>
<dt>Model calls</dt>
<dd>${ke(e.iterations)}</dd>
<dt>Tokens</dt>
<dd>${ke(e.inputTokens)} read, ${ke(e.outputTokens)} written</dd>
<dt>Cost</dt>
<dd><strong>${we(e.costUsd)}</strong></dd>
${e.error?h`<dt>Error</dt>
<dd class="error">${e.error}</dd>`:c}
${e.warnings.length?h`<dt>Warnings</dt>
<dd>${e.warnings.join(" ")}</dd>`:c}
${e.asked?h`<dt>Asked about</dt>
<dd>${e.asked}</dd>`:c}
<dt>Ids</dt>
<dd><code>${e.messageId}</code><br /><code>${e.conversationId}</code></dd>
</dl>
</section>
${this.shares("Time by step",e.stepsMs,Ce,e.totalMs)}
${this.shares("Prompt by section, in tokens",e.promptTokens,ke)}
<section class="card">
<h2>Tool calls</h2>
${e.calls.length?e.calls.map(e=>h`<div class="call">
<strong>${e.name}</strong> ${Xe(e.status)}
<span class="muted">${Ce(e.durationMs)}</span>
<p>${e.error??e.line}</p>
<details>
<summary>Arguments</summary>
<pre>${JSON.stringify(e.arguments,null,2)}</pre>
</details>
</div>`):h`<p class="muted">This turn used no tool.</p>`}
</section>
<p class="muted">
What was said is not shown here: only the user reads their conversations. Records before and after a change are
in the audit log.
</p>
</div>`}shares(e,t,s,i){let a=Object.entries(t).filter(([,e])=>e>0),n=i??a.reduce((e,[,t])=>e+t,0);return h`<section class="card">
<h2>${e} <span class="muted">${s(n)}</span></h2>
${a.length?h`<div class="share">
${a.toSorted((e,t)=>t[1]-e[1]).map(([e,t])=>h`<span>${Ee(e)}</span>
<progress max=${n||1} value=${t} aria-label=${Ee(e)}></progress>
<span class="number">${s(t)}</span>`)}
</div>`:h`<p class="muted">None: the offline planner reads no prompt.</p>`}
</section>`}};Nn.styles=[T,Je,d`.share{display:grid;grid-template-columns:minmax(12ch,22ch) 1fr auto;gap:var(--aisha-2) var(--aisha-3);align-items:center}details{margin-block-start:var(--aisha-1)}.call{padding-block:var(--aisha-3);border-block-end:1px solid var(--aisha-line);overflow-wrap:anywhere}.call:last-child{border:0}pre{padding:var(--aisha-2);background:var(--aisha-sunken);border-radius:var(--aisha-radius-s)}`],O([p({attribute:!1})],Nn.prototype,"desk",2),O([p()],Nn.prototype,"messageId",2),Nn=O([$("desk-turn")],Nn);var Pn=class extends u{constructor(){super(...arguments),this.onlyFailed=!1,this.loader=new yn(this,()=>this.page())}render(){return h`<div class="head">
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
${this.loader.show(e=>this.table(e))}`}table(e){return e.items.length?h`<div class="scroll" tabindex="0" role="region" aria-label="Turns">
<table>
<thead>
<tr>
${["Time","User","Through","Status","Tools","Model"].map(e=>h`<th scope="col">${e}</th>`)}
<th scope="col" class="number">Took</th>
<th scope="col" class="number">Cost</th>
</tr>
</thead>
<tbody>
${e.items.map(e=>h`<tr>
<td><a class="link" href="#/console/turns/${e.messageId}">${Se(e.at)}</a></td>
<td>${Ee(e.user)}</td>
<td>${e.door}</td>
<td>${Xe(e.status)}</td>
<td class="name">${e.tools.join(", ")||"—"}</td>
<td>${e.model}</td>
<td class="number">${Ce(e.totalMs)}</td>
<td class="number">${we(e.costUsd)}</td>
</tr>`)}
</tbody>
</table>
</div>
${e.nextCursor?h`<button class="button" @click=${()=>this.more(e)}>Show more</button>`:c}`:et("No turns yet. Ask the assistant something.")}page(e){let t={limit:25,...this.onlyFailed?{success:!1}:{},...e?{cursor:e}:{}};return b(this.desk.api.rest.GET("/api/ai/turns",{params:{query:t}}))}async more(e){try{let t=await this.page(e.nextCursor);this.loader.value={...t,items:[...e.items,...t.items]},this.requestUpdate()}catch(e){this.desk.tell(Ae(e),!0)}}};Pn.styles=[T,Je],O([p({attribute:!1})],Pn.prototype,"desk",2),O([m()],Pn.prototype,"onlyFailed",2),Pn=O([$("desk-turns")],Pn);var Un=class extends u{constructor(){super(...arguments),this.theme="",this.days=30,this.loader=new yn(this,()=>b(this.desk.api.rest.GET("/api/ai/usage",{params:{query:{days:this.days}}})))}render(){return h`<div class="head">
<label class="row">
<span class="muted">Time</span>
<select @change=${this.choose}>
${[7,30,90].map(e=>h`<option value=${e} ?selected=${e===this.days}>Last ${e} days</option>`)}
</select>
</label>
</div>
${this.loader.show(e=>this.usage(e))}`}usage(e){let{budget:t}=e,s=t.budgetUsd?t.spentUsd/t.budgetUsd:0,i=this.desk.profile.admin?.limits,a=e.byDay.map(e=>xe(e.name));return h`<div class="grid">
<section class="card stack">
<h2>Budget of this month</h2>
<p><strong>${we(t.spentUsd)}</strong> of ${we(t.budgetUsd)} (${Math.round(100*s)}%)</p>
<progress
max=${t.budgetUsd||1}
value=${t.spentUsd}
data-state=${s<.75?"usual":"near"}
aria-label="Spent of the budget"
></progress>
${i?h`<dl class="fields">
<dt>Plan</dt>
<dd>${Ee(this.desk.profile.admin.plan)}</dd>
<dt>Requests</dt>
<dd>
${ke(i.userPerMinute)} a minute for each user, ${ke(i.tenantPerHour)} an hour for
all
</dd>
</dl>`:c}
<p class="muted">
When the budget is used up no paid model is asked; the offline planner goes on answering at no cost.
</p>
</section>
<section class="card">
<h2>Turns by day</h2>
${a.length?h`<desk-chart
caption="Turns by day"
.labels=${a}
.series=${[{name:"Answered",values:e.byDay.map(e=>e.turns-e.failed)},{name:"Failed",values:e.byDay.map(e=>e.failed)}]}
.format=${ke}
theme=${this.theme}
></desk-chart>`:h`<p class="muted">No turns yet.</p>`}
</section>
${this.table("By user",e.byUser,Ee)} ${this.table("By model",e.byModel,String)}
</div>
${e.truncated?h`<p class="muted">Only the newest 2,000 turns and commands are counted.</p>`:c}`}table(e,t,s){return h`<section class="card">
<h2>${e}</h2>
${t.length?this.rows(e,t,s):h`<p class="muted">No turns yet.</p>`}
</section>`}rows(e,t,s){return h`<div class="scroll" tabindex="0" role="region" aria-label=${e}>
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
${t.map(e=>h`<tr>
<td class="name">${s(e.name)}</td>
<td class="number">${ke(e.turns)}</td>
<td class="number">${ke(e.failed)}</td>
<td class="number">${ke(e.inputTokens+e.outputTokens)}</td>
<td class="number">${we(e.costUsd)}</td>
</tr>`)}
</tbody>
</table>
</div>`}choose(e){this.days=Number(e.target.value),this.loader.load()}};Un.styles=[T,Je,d`progress[data-state=near]::-webkit-progress-value{background:var(--aisha-warn)}progress[data-state=near]::-moz-progress-bar{background:var(--aisha-warn)}`],O([p({attribute:!1})],Un.prototype,"desk",2),O([p()],Un.prototype,"theme",2),O([m()],Un.prototype,"days",2),Un=O([$("desk-usage")],Un);var Rn={"":"Usage",turns:"Turns",analytics:"Analytics",audit:"Audit",tools:"Tools",trust:"Roles",assistant:"Assistant",documents:"Documents",operations:"Health"},In=class extends u{constructor(){super(...arguments),this.path="",this.theme=""}render(){let[e=""]=this.path.split("/");return h`<div class="head"><h1>Console</h1></div>
<nav class="tabs head" aria-label="Console">
${Object.entries(Rn).map(([t,s])=>h`<a href="#/console${t?`/${t}`:""}" aria-current=${t===e?"page":c}
>${s}</a
>`)}
</nav>
${this.view()}`}view(){let{desk:e,theme:t}=this,[s="",i=""]=this.path.split("/");switch(s){case"turns":return i?h`<desk-turn .desk=${e} messageId=${i}></desk-turn>`:h`<desk-turns .desk=${e}></desk-turns>`;case"analytics":return h`<desk-analytics .desk=${e} theme=${t}></desk-analytics>`;case"audit":return h`<desk-audit .desk=${e}></desk-audit>`;case"tools":return h`<desk-tools .desk=${e}></desk-tools>`;case"trust":return h`<desk-trust .desk=${e}></desk-trust>`;case"assistant":return h`<desk-assistant-profile .desk=${e}></desk-assistant-profile>`;case"documents":return h`<desk-documents .desk=${e}></desk-documents>`;case"operations":return h`<desk-operations .desk=${e}></desk-operations>`;default:return h`<desk-usage .desk=${e} theme=${t}></desk-usage>`}}};In.styles=[T,Je],O([p({attribute:!1})],In.prototype,"desk",2),O([p()],In.prototype,"path",2),O([p()],In.prototype,"theme",2),In=O([$("desk-console")],In);var jn=["leadsOpen","leadsWithoutActivity","opportunitiesOpen","suggestionsPending","suggestionsAccepted"],qn=class extends u{constructor(){super(...arguments),this.theme="",this.nextStep=null,this.briefing=null,this.busy="",this.isWithoutStep=!1}firstUpdated(){let e=e=>this.desk.profile.modules.includes(e);e("opportunities")&&(this.deals=new De(this,"opportunity",!0)),e("activities")&&(this.activities=new De(this,"activity",!0)),e("goals")&&(this.goals=new De(this,"goal",!0));for(let e of[this.deals,this.activities,this.goals])e?.load();this.brief(),this.recommend()}render(){let e=(new Date).getHours(),t=ge(e<12?"good_morning":e<18?"good_afternoon":"good_evening"),s=this.desk.profile.name?.split(" ")[0];return h`<div class="head"><h1>${t}${s?`, ${s}`:""}</h1></div>
<div class="figures">${this.figures()}</div>
<div class="grid">
${this.deals?this.pipeline(this.deals.items):c} ${this.next()}
${this.goals?this.goalList():c} ${this.changes()} ${this.briefed()}
</div>`}figures(){let e=(this.deals?.items??[]).filter(e=>Ie(e)),t=e.map(e=>({...e,amount:Number(e.amount??0)*Number(e.probability??0)/100})),s=(this.activities?.items??[]).filter(e=>"scheduled"===e.status).map(e=>$e(e.due_at)).filter(e=>null!==e),i=s.filter(e=>e.getTime()<Date.now()).length,a=s.filter(e=>0===Te(e)&&e.getTime()>=Date.now()).length,n=(e,t,s)=>{return h`<div class="card figure">
<strong>${i=t,String(i).replace(/[\u00a0\u202f]/g," ")}</strong><a class="link" href=${s}>${e}</a>
</div>`;var i};return[...this.deals?[n(ge("open_pipeline"),this.deals.isLoading?"…":ut(e),"#/opportunities"),n(ge("weighted"),this.deals.isLoading?"…":ut(t),"#/opportunities"),n(ge("open_deals"),this.deals.isLoading?"…":e.length,"#/opportunities")]:[],...this.activities?[n(ge("still_due_today"),this.activities.isLoading?"…":a,"#/activities"),n(ge("overdue"),this.activities.isLoading?"…":i,"#/activities")]:[]]}pipeline(e){let t=e.filter(t=>Ie(t)&&(t.currency??"USD")===Wn(e)),s=new Map;for(let e of t){let t=String(e.owner??"");s.set(t,(s.get(t)??0)+Number(e.amount??0))}let i=[...s].sort((e,t)=>t[1]-e[1]).map(([e])=>e),a=i.slice(0,4),n=Me(this.desk),r=n.filter(e=>"open"===e.outcome),l=(e,s)=>t.filter(t=>Re(t,"stage",n)===e&&s(String(t.owner??""))).reduce((e,t)=>e+Number(t.amount??0),0),o=a.map(e=>({name:""===e?ge("owner_nobody"):Ee(e),values:r.map(t=>l(t,t=>t===e))}));if(i.length>a.length){let e=e=>!a.includes(e);o.push({name:ge("owner_others"),values:r.map(t=>l(t,e))})}let d=Wn(e),u=new Set(e.map(e=>e.currency??"USD")).size>1;return h`<section class="card">
<h2>
${ge("pipeline_title")}${u?h` <span class="muted">${ge("in_currency",{currency:d})}</span>`:c}
</h2>
${t.length?h`<desk-chart
caption=${ge("pipeline_caption")}
.labels=${r.map(We)}
.series=${o}
.format=${e=>be(e,d,!0)}
theme=${this.theme}
></desk-chart>`:h`<p class="muted">${ge(this.deals.isLoading?"loading":"no_open_deals")}</p>`}
</section>`}goalList(){let e=this.goals;return h`<section class="card">
<h2>${ge("kinds_goal")}</h2>
${e.items.length?h`<ul>
${e.items.map(e=>{let t=Number(e.progress??0);return h`<li>
<div class="row">
<strong>${e.display_name}</strong><span class="muted">${e.period??""}</span>
<span class="end">${t}%</span>
</div>
<progress max="100" value=${t} aria-label=${e.display_name}></progress>
</li>`})}
</ul>`:h`<p class="muted">${ge(e.isLoading?"loading":"no_goals")}</p>`}
</section>`}changes(){let e=this.desk.feed.recent.slice(0,6);return h`<section class="card">
<h2>${ge("latest_changes")}</h2>
${e.length?h`<ul>
${e.map(e=>h`<li>
${Ye(e)}
<span class="muted">${ze(e.at)}, ${_e(e.at)}</span>
</li>`)}
</ul>`:h`<p class="muted">${ge("no_changes")}</p>`}
</section>`}next(){let e=this.nextStep,t=e?.scanType;return h`<section class="card stack">
<h2>${ge("next_step")}</h2>
${e?h`<p>${e.response||e.reason}</p>
${t?h`<div>
<button class="button primary" ?disabled=${""!==this.busy} @click=${()=>this.run(t)}>
${this.busy===t?ge("scanning"):ge("run_scan",{name:fe("scan_",t,Ee(t))})}
</button>
</div>`:c}
<dl class="fields">
${jn.map(t=>h`<dt>${ge(`stat_${t}`)}</dt>
<dd>${e.statistics[t]}</dd>`)}
</dl>`:h`<p class="muted">${ge(this.isWithoutStep?"no_recommendation":"looking")}</p>`}
</section>`}briefed(){return h`<section class="card stack">
<h2>${ge("briefing")}</h2>
<p>${this.briefing?.text??"…"}</p>
</section>`}async brief(){let e={variant:"full",timeframeHours:24};try{this.briefing=await b(this.desk.api.rest.GET("/api/ai/scan-briefing",{params:{query:e}}))}catch(e){this.briefing={success:!1,text:Ae(e),data:null}}}async recommend(){try{this.nextStep=await b(this.desk.api.rest.POST("/api/ai/next-step",{body:{}}))}catch{this.isWithoutStep=!0}}async run(e){this.busy=e;try{await this.desk.api.rest.POST("/api/ai/scans",{params:{header:{"Idempotency-Key":w()}},body:{scanType:e}}),await Promise.all([this.brief(),this.recommend()]),this.desk.tell(ge("scan_done"))}catch(e){this.desk.tell(Ae(e),!0)}this.busy=""}};function Wn(e){let t=new Map;for(let s of e){let e=String(s.currency??"USD");t.set(e,(t.get(e)??0)+1)}return[...t].sort((e,t)=>t[1]-e[1])[0]?.[0]??"USD"}qn.styles=[T,Je,d`.figures{display:grid;gap:var(--aisha-3);grid-template-columns:repeat(auto-fit,minmax(140px,1fr));margin-block-end:var(--aisha-4)}.figure strong{display:block;font-size:22px;letter-spacing:-.02em;font-variant-numeric:tabular-nums;line-height:1.25;overflow-wrap:anywhere}@media(min-width:1101px){.figures{grid-template-columns:repeat(auto-fit,minmax(104px,1fr))}}.grid{grid-template-columns:repeat(auto-fit,minmax(min(100%,360px),1fr))}.grid>:last-child{grid-column:1 / -1}ul{display:grid;gap:var(--aisha-3);margin:0;padding:0;list-style:none}li{overflow-wrap:anywhere}`],O([p({attribute:!1})],qn.prototype,"desk",2),O([p()],qn.prototype,"theme",2),O([m()],qn.prototype,"nextStep",2),O([m()],qn.prototype,"briefing",2),O([m()],qn.prototype,"busy",2),O([m()],qn.prototype,"isWithoutStep",2),qn=O([$("desk-dashboard")],qn);var Fn=class extends EventTarget{constructor(e){super(),this.api=e,this.recent=[],this.isLost=!1,this.marked=new Map,this.next=null,this.failures=0,this.isPolling=!1,this.isAsked=!1,this.isStopped=!0,this.poke=()=>{this.isPolling?this.isAsked=!0:this.isStopped||this.poll()}}start(){this.isStopped=!1,document.addEventListener("visibilitychange",this.poke),addEventListener("online",this.poke),this.poll()}stop(){this.isStopped=!0,clearTimeout(this.timer),document.removeEventListener("visibilitychange",this.poke),removeEventListener("online",this.poke)}markOf(e){return this.marked.get(e)}async poll(){clearTimeout(this.timer),this.isPolling=!0;let e=!1;try{let t=null===this.next?{}:{since:this.next},s=await b(this.api.rest.GET("/api/crm/changes",{params:{query:t}})),i=null===this.next;this.next=s.next,e=s.hasMore,this.recent=[...s.items.toReversed(),...this.recent].slice(0,50),this.setLost(0),!i&&s.items.length?this.publish(s.items):i&&this.dispatchEvent(new CustomEvent("changes",{detail:[]}))}catch{this.setLost(this.failures+1)}if(this.isPolling=!1,this.isStopped)return;let t=e||this.isAsked;this.isAsked=!1,this.timer=setTimeout(()=>{this.poll()},t?0:this.waitMs())}publish(e){for(let t of e)this.marked.set(t.entity.id,t),setTimeout(()=>{this.marked.get(t.entity.id)===t&&(this.marked.delete(t.entity.id),this.dispatchEvent(new Event("marks")))},12e3);this.dispatchEvent(new CustomEvent("changes",{detail:e}))}setLost(e){this.failures=e;let t=e>1;t!==this.isLost&&(this.isLost=t,this.dispatchEvent(new Event("state")))}waitMs(){let e=document.hidden?3e4:2500;return Math.min(e*2**Math.min(this.failures,5),Math.max(6e4,e))}},Gn=new Set(["id","entity_type","display_name","version","custom","first_name","last_name","name"]),Yn=["created_at","updated_at"],Bn=class extends u{constructor(){super(...arguments),this.recordId="",this.record=null,this.error="",this.take=e=>{let t=e.detail.findLast(e=>e.entity.id===this.recordId);t&&(t.record?(this.record=t.record,this.error=""):this.error=ge("was_deleted",{name:t.entity.name,who:t.isOwn?ge("you"):t.user}))}}disconnectedCallback(){super.disconnectedCallback(),this.desk.feed.removeEventListener("changes",this.take)}willUpdate(e){e.has("recordId")&&this.load()}render(){if(this.error)return tt(this.error,()=>this.load());let e=this.record;if(!e)return st();let t=this.desk.feed.markOf(e.id);return h`<div class="head">
<a class="link" href="#/${this.kind.page}">${Pe(this.kind,this.desk.profile.labels,!0)}</a>
<span class="muted" aria-hidden="true">/</span>
<h1 dir="auto">${e.display_name}</h1>
${["stage","status","health"].filter(t=>e[t]).slice(0,1).map(t=>Qe(e,t))}
${t?h`<span class="badge accent">${Ye(t)}</span>`:c}
</div>
<div class="row asks">${this.asks(e)}</div>
<div class="columns">
<section class="card ${t?"marked":""}">
<h2>${ge("details")}</h2>
<dl class="fields">
${this.fields(e).map(t=>h`<dt>${je(t)}</dt>
<dd dir="auto">${this.value(e,t)}</dd>`)}
</dl>
</section>
${"note"===this.kind.type||"activity"===this.kind.type?c:h`<div class="stack">
<section class="card">
<h2>${ge("kinds_activity")}</h2>
${this.related(this.activities,ge("no_activities"))}
</section>
<section class="card">
<h2>${ge("kinds_note")}</h2>
${this.related(this.notes,ge("no_notes"))}
</section>
</div>`}
</div>`}fields(e){return[...Object.keys(e).filter(e=>!Yn.includes(e)),...Yn].filter(t=>{let s=e[t]??"",i=null===s||""===s||Array.isArray(s)&&!s.length;return!(Gn.has(t)||i||t.endsWith("_id")||t.startsWith("do_not"))})}value(e,t){let s=e[t];if("related"===t&&s?.id){let e=Oe(s.type??"")?.page;return e?h`<a class="link" href="#/${e}/${s.id}">${s.name}</a>`:s.name}return Fe(e,t)}asks(e){let t=((e,t)=>{let s=t.display_name;switch(this.kind.type){case"activity":return"scheduled"===t.status?[{label:ge("ask_complete"),text:`Mark the activity “${s}” as completed`}]:[];case"lead":case"contact":case"account":case"opportunity":return[{label:ge("ask_next"),text:`What should I do next with ${s}?`},{label:ge("ask_summary"),text:`Give me a summary of ${s}`},{label:ge("ask_call"),text:`Schedule a call with ${s} tomorrow at 10`}];default:return[]}})(0,e).map(({label:e,text:t})=>h`<button class="button" title=${t} @click=${()=>this.desk.ask(t)}>${e}</button>`);if("opportunity"!==this.kind.type)return t;let s=Me(this.desk),i=Re(e,"stage",s);return[h`<label class="row">
<span class="muted">${ge("move_to")}</span>
<select
.value=${i?.key??""}
@change=${t=>this.move(t.target,e)}
>
${i?c:h`<option value="" selected>${Fe(e,"stage")}</option>`}
${s.map(e=>h`<option value=${e.key} ?selected=${e===i}>${We(e)}</option>`)}
</select>
</label>`,...t]}move(e,t){let s=Me(this.desk),i=s.find(t=>t.key===e.value);i&&this.desk.ask(Ke(i.label,t)),e.value=Re(t,"stage",s)?.key??""}related(e,t){return!e||e.isLoading?h`<p class="muted">${ge("loading")}</p>`:e.error?h`<p class="error">${e.error}</p>`:e.items.length?h`<ul>
${e.items.map(e=>h`<li class=${this.desk.feed.markOf(e.id)?"marked":""}>
<div dir="auto">${e.content??e.display_name}</div>
<span class="muted">
${Se(e.due_at?e.due_at:e.created_at)}
${e.owner?`· ${Ee(String(e.owner))}`:c}
</span>
${Qe(e,e.status?"status":"note_type")}
</li>`)}
</ul>`:h`<p class="muted">${t}</p>`}async load(){this.record=null,this.error="",this.desk.feed.addEventListener("changes",this.take);let e=this.recordId;try{let t={type:this.kind.type,id:e},s=await b(this.desk.api.rest.GET("/api/crm/{type}/{id}",{params:{path:t}}));if(e!==this.recordId)return;this.record=s}catch(t){return void(e===this.recordId&&(this.error=Ae(t)))}"note"===this.kind.type||"activity"===this.kind.type||(this.activities??=new De(this,"activity"),this.notes??=new De(this,"note"),this.activities.load({related_id:e}),this.notes.load({related_id:e}))}};function Hn(e,t){return h`<ul>
${e.map(({id:e,text:s,about:i})=>h`<li>
<span dir="auto">${s}${i?h` <span class="muted">${i}</span>`:c}</span>
<button class="button" aria-label=${ge("delete_one",{text:s})} @click=${()=>t(e)}>
${ge("delete")}
</button>
</li>`)}
</ul>`}Bn.styles=[T,Je,d`.columns{display:grid;gap:var(--aisha-4);grid-template-columns:repeat(auto-fit,minmax(min(100%,300px),1fr));align-items:start}ul{display:grid;gap:var(--aisha-3);margin:0;padding:0;list-style:none}li{overflow-wrap:anywhere}.asks{margin-block-end:var(--aisha-4)}.stack{display:grid;gap:var(--aisha-4)}`],O([p({attribute:!1})],Bn.prototype,"desk",2),O([p({attribute:!1})],Bn.prototype,"kind",2),O([p()],Bn.prototype,"recordId",2),O([m()],Bn.prototype,"record",2),O([m()],Bn.prototype,"error",2),Bn=O([$("desk-record")],Bn);var Vn=class extends u{constructor(){super(...arguments),this.loaded=null,this.error="",this.add=async e=>{e.preventDefault();let t=e.target,s=String(new FormData(t).get("text")??"").trim();s&&await this.try(()=>this.desk.api.rest.POST("/api/ai/instructions",{body:{text:s}}))&&t.reset()}}firstUpdated(){this.load()}render(){if(this.error)return tt(this.error,()=>this.load());let e=this.loaded;return e?h`<div class="head"><h1>${ge("settings")}</h1></div>
<div class="grid">
<section class="card">
<h2 id="mode">${ge("how_it_answers")}</h2>
<fieldset aria-labelledby="mode">
${Object.entries(e.modes).map(([t,s])=>h`<label>
<input
type="radio"
name="mode"
.checked=${t===e.mode}
@change=${()=>this.setMode(t)}
/>
<strong>${fe("mode_",t,Ee(t))}</strong
><span class="muted">${fe("mode_",`${t}_text`,s)}</span>
</label>`)}
</fieldset>
</section>
<section class="card">${this.instructions(e)}</section>
<section class="card stack">${this.notifications(e.settings)}</section>
<section class="card">
<h2>${ge("due_and_coming")}</h2>
${e.coming.length?h`<ul>
${e.coming.map(e=>h`<li>
<span>${e.title}</span><span class="muted">${e.dueAt?Se(e.dueAt):""}</span>
</li>`)}
</ul>`:h`<p class="muted">${ge("nothing_coming")}</p>`}
</section>
<section class="card">
<h2>${ge("memories")}</h2>
${e.memories.length?Hn(e.memories.map(e=>({...e,about:xe(e.updatedAt)})),e=>this.forget("/api/ai/memories/{id}",e)):h`<p class="muted">${ge("memories_hint")}</p>`}
</section>
<section class="card">
<h2>${ge("sticky_notes")}</h2>
${e.notes.length?Hn(e.notes.map(e=>({...e,about:e.dueAt?Se(e.dueAt):""})),e=>this.forget("/api/ai/sticky-notes/{id}",e)):h`<p class="muted">${ge("sticky_hint")}</p>`}
</section>
<section class="card stack">
<h2>${ge("language")}</h2>
<label class="field"
><span class="muted">${ge("language_hint")}</span>
<select @change=${e=>{return(t=e.target.value)?localStorage.setItem(he,t):localStorage.removeItem(he),void location.reload();var t}}>
${Object.entries({"":ge("language_browser"),...ue}).map(([e,t])=>h`<option value=${e} ?selected=${e===me()}>${t}</option>`)}
</select>
</label>
</section>
</div>`:st()}instructions(e){return h`<h2>${ge("standing_instructions")}</h2>
${e.instructions.length?Hn(e.instructions,e=>this.forget("/api/ai/instructions/{id}",e)):h`<p class="muted">${ge("instruction_hint")}</p>
<br />`}
<form @submit=${this.add}>
<input
name="text"
required
maxlength=${300}
aria-label=${ge("new_instruction")}
placeholder=${ge("new_instruction")}
/>
<button class="button primary">${ge("add")}</button>
</form>`}notifications(e){let t=t=>{this.save({...e,...t})};return h`<h2>${ge("notifications")}</h2>
<label class="field"
>${ge("also_sent_by")}
<select
.value=${e.channel}
@change=${e=>t({channel:e.target.value})}
>
<option value="in_app" ?selected=${"in_app"===e.channel}>${ge("in_app")}</option>
<option value="email" ?selected=${"email"===e.channel}>${ge("email")}</option>
</select>
</label>
<label class="row">
<input
type="checkbox"
.checked=${e.digest??!1}
@change=${e=>t({digest:e.target.checked})}
/>
${ge("digest")}
</label>
<label class="field"
>${ge("digest_at")}
<select
.value=${String(e.digestHour)}
?disabled=${!e.digest}
@change=${e=>t({digestHour:Number(e.target.value)})}
>
${Array.from({length:24},(t,s)=>{let i=`${String(s).padStart(2,"0")}:00`;return h`<option value=${s} ?selected=${s===e.digestHour}>${i}</option>`})}
</select>
<span class="muted">${e.zone??c}</span>
</label>`}async load(){this.error="";let{rest:e}=this.desk.api;try{let[t,s,i,a,n,r,l]=await Promise.all([b(e.GET("/api/ai/mode")),b(e.GET("/api/ai/models")),b(e.GET("/api/ai/instructions")),b(e.GET("/api/ai/memories")),b(e.GET("/api/ai/sticky-notes")),b(e.GET("/api/ai/notifications/settings")),b(e.GET("/api/ai/notifications",{params:{query:{includeComing:!0}}}))]);this.loaded={mode:t.mode,modes:s.modes,instructions:i.items,memories:a.items,notes:n.items,settings:r,coming:l.notifications}}catch(e){this.error=Ae(e)}}async setMode(e){await this.try(()=>this.desk.api.rest.POST("/api/ai/mode/{mode}",{params:{path:{mode:e}}}))}async forget(e,t){await this.try(()=>this.desk.api.rest.DELETE(e,{params:{path:{id:t}}}),ge("deleted"))}async save(e){let{channel:t,digest:s,digestHour:i}=e;await this.try(()=>this.desk.api.rest.POST("/api/ai/notifications/settings",{body:{channel:t,digest:s,digestHour:i}}))}async try(e,t=ge("saved")){try{return await e(),this.desk.tell(t),!0}catch(e){return this.desk.tell(Ae(e),!0),!1}finally{await this.load()}}};Vn.styles=[T,Je,d`ul{display:grid;gap:var(--aisha-2);margin:0 0 var(--aisha-3);padding:0;list-style:none}li{display:flex;align-items:center;justify-content:space-between;gap:var(--aisha-3);overflow-wrap:anywhere}fieldset{display:grid;gap:var(--aisha-3);border:0;margin:0;padding:0}fieldset label{display:grid;grid-template-columns:auto 1fr;gap:2px var(--aisha-2);align-items:center}fieldset .muted{grid-column:2}input[type=radio],input[type=checkbox]{min-block-size:0;inline-size:18px;block-size:18px;accent-color:var(--aisha-accent-fill)}form{display:flex;gap:var(--aisha-2)}form input{flex:1;min-inline-size:0}`],O([p({attribute:!1})],Vn.prototype,"desk",2),O([m()],Vn.prototype,"loaded",2),O([m()],Vn.prototype,"error",2),Vn=O([$("desk-settings")],Vn);var Kn={title:"field_owner",cell:e=>e.owner?Ee(String(e.owner)):"—"},Jn={title:"field_last_contacted_at",cell:e=>ze(e.last_contacted_at)},Zn={title:"field_company",cell:e=>e.company??"—"},Xn={lead:[Zn,{title:"field_status",cell:e=>Qe(e,"status")},{title:"field_score",cell:e=>e.score??"—",isNumber:!0},{title:"field_value",cell:e=>be(e.estimated_value??NaN),isNumber:!0},Jn,Kn],contact:[Zn,{title:"field_job_title",cell:e=>e.job_title??"—"},{title:"field_email",cell:e=>e.email??"—"},Jn,Kn],account:[{title:"field_industry",cell:e=>e.industry??"—"},{title:"field_type",cell:e=>Qe(e,"type")},{title:"field_health",cell:e=>Qe(e,"health")},{title:"field_annual_revenue",cell:e=>be(e.annual_revenue??NaN,"USD",!0),isNumber:!0},Kn],note:[{title:"column_about",cell:e=>e.related?.name??"—"},{title:"field_note_type",cell:e=>Qe(e,"note_type")},{title:"column_written",cell:e=>ze(e.created_at)},Kn]},Qn={lead:"status",account:"health"},er=class extends u{constructor(){super(...arguments),this.search="",this.status=""}willUpdate(e){e.has("kind")&&(this.list?.hostDisconnected(),this.list=new De(this,this.kind.type),[this.search,this.status]=["",""],this.list.load())}render(){let e=this.list,t=Pe(this.kind,this.desk.profile.labels,!0);return h`<div class="head">
<h1>${t}</h1>
<span class="muted">${e.total??""}</span>
<search class="row end">
${this.statuses()}
<input
type="search"
placeholder=${ge("search_by_name")}
aria-label=${ge("search_in",{kinds:He(t)})}
.value=${this.search}
@input=${e=>this.find(e.target.value)}
/>
</search>
</div>
${this.content(e,t)}`}content(e,t){if(e.error)return tt(e.error,()=>this.load());if(e.isLoading&&!e.items.length)return st();if(!e.items.length)return et(this.search||this.status?ge("nothing_fits"):ge("none_yet",{kinds:He(t)}));let s=Xn[this.kind.type]??[Kn];return h`<div class="scroll" tabindex="0" role="region" aria-label=${t}>
<table>
<thead>
<tr>
<th scope="col">${ge("note"===this.kind.type?"kind_note":"column_name")}</th>
${s.map(e=>h`<th scope="col" class=${e.isNumber?"number":""}>${ge(e.title)}</th>`)}
</tr>
</thead>
<tbody>
${e.items.map(e=>this.row(e,s))}
</tbody>
</table>
</div>
${e.next?h`<button class="button more" ?disabled=${e.isLoading} @click=${()=>e.more()}>
${ge("show_more")}
</button>`:c}`}row(e,t){let s=this.desk.feed.markOf(e.id);return h`<tr class=${s?"marked":""}>
<td class="name">
<a class="link" dir="auto" href="#/${this.kind.page}/${e.id}">${(e=>{let{display_name:t,content:s}=e;return"string"==typeof s&&s.length>t.length&&s.startsWith(t)?`${t}…`:t})(e)}</a>
${s?h` <span class="badge accent">${Be(s)}</span>`:c}
</td>
${t.map(t=>h`<td class=${t.isNumber?"number":""} dir="auto">${t.cell(e)}</td>`)}
</tr>`}statuses(){let e=Qn[this.kind.type],t=e&&this.desk.profile.values[`${this.kind.type}.${e}`]||[];return e&&t.length?h`<select
aria-label=${ge(`field_${e}`)}
.value=${this.status}
@change=${e=>{this.status=e.target.value,this.load()}}
>
<option value="">${ge(`any_${e}`)}</option>
${t.map(e=>h`<option value=${e.key} ?selected=${e.key===this.status}>${We(e)}</option>`)}
</select>`:c}find(e){this.search=e,clearTimeout(this.timer),this.timer=setTimeout(()=>{this.load()},250)}load(){return this.list.load({...this.search.trim()?{name_contains:this.search.trim()}:{},...this.status?{status:this.status}:{}})}};er.styles=[T,Je,d`.more{margin-block-start:var(--aisha-4)}`],O([p({attribute:!1})],er.prototype,"desk",2),O([p({attribute:!1})],er.prototype,"kind",2),O([m()],er.prototype,"search",2),O([m()],er.prototype,"status",2),er=O([$("desk-table")],er);var tr=matchMedia("(max-width: 1100px)"),sr=()=>tr.matches,ir=["alice","bob"],ar="aisha.desk.theme",nr="aisha.desk.user",rr={dashboard:"",pipeline:"opportunities",goals:"",documents:"console/documents"},lr=class extends u{constructor(){super(...arguments),this.api="",this.token=null,this.desk=null,this.error="",this.path="",this.user=localStorage.getItem(nr)??ir[0],this.theme=localStorage.getItem(ar)??"midnight",this.told=null,this.texts=(async()=>{pe=await C(me()||navigator.language,ce,de),document.documentElement.lang=pe.language,document.documentElement.dir=pe.direction})(),this.source=e=>this.token?this.token(e):this.localToken(),this.follow=()=>{let e=(e=>{try{return decodeURIComponent(e)}catch{return e}})(location.hash.replace(/^#\/?/,""));e!==this.path&&(this.path=e,this.main?.scrollTo(0,0))},this.navigate=e=>{let{page:t,record:s}=e.detail,i=s?Oe(s.type):void 0;s&&i?this.go(`${i.page}/${s.id}`):t&&this.go(rr[t]??t)}}connectedCallback(){super.connectedCallback(),addEventListener("hashchange",this.follow),this.follow(),this.start()}disconnectedCallback(){super.disconnectedCallback(),removeEventListener("hashchange",this.follow),this.desk?.feed.stop()}async scheduleUpdate(){await this.texts,super.scheduleUpdate()}willUpdate(e){e.has("theme")&&(this.dataset.theme=this.theme),this.dir=ye(),document.title=`${this.pageName} · ${this.deskName}`}updated(e){!sr()||!e.has("path")&&!e.has("desk")||this.renderRoot.querySelector("nav.pages [aria-current]")?.scrollIntoView({block:"nearest",inline:"center"})}render(){return h`${this.told?h`<p class="told ${this.told.isError?"error":""}" role="alert">${this.told.text}</p>`:c}
<header class="top">
<a class="skip" href="#/${this.path}" @click=${this.skip}>${ge("skip")}</a>
<strong>${this.deskName}</strong>
${this.desk?.feed.isLost?h`<span class="lost" role="status">${ge("lost")}</span>`:c}
<span class="end"></span>
${this.desk?h`<desk-bell .desk=${this.desk}></desk-bell>`:c} ${this.users()}
<button class="button" @click=${()=>this.setTheme("light"===this.theme?"midnight":"light")}>
${ge("light"===this.theme?"theme_dark":"theme_light")}
</button>
</header>
${this.navigation()}
<main id="content" tabindex="-1">
${this.error?tt(this.error,()=>this.start()):this.desk?this.page(this.desk,this.path):st()}
</main>
${this.side()} ${this.desk?h`<desk-changes .desk=${this.desk}></desk-changes>`:c}`}side(){let[e="",t=""]=this.path.split("/"),s=t?Ne(e):void 0;return h`<aisha-assistant
.token=${this.source}
api=${this.api}
locale=${ve()}
theme=${this.theme}
name=${this.desk?.profile.assistantName??""}
?minimised=${sr()}
page=${e||"dashboard"}
record-type=${s?.type??""}
record-id=${s?t:""}
@recordchanged=${()=>this.desk?.feed.poke()}
@navigate=${this.navigate}
></aisha-assistant>`}navigation(){let e=this.desk?.profile,[t=""]=this.path.split("/"),s=(e,s)=>h`<a href="#/${e}" aria-current=${e===t||"activities"===e&&"calendar"===t?"page":c}>${s}</a>`;return h`<nav class="pages" aria-label=${ge("pages")}>
${s("",ge("overview"))}
${Le.filter(t=>e?.modules.includes(t.module)).map(t=>s(t.page,Pe(t,e?.labels??{},!0)))}
<hr />
${s("settings",ge("settings"))} ${e?.isAdmin?s("console",ge("console")):c}
</nav>`}get deskName(){return ge("desk_name",{name:this.desk?.profile.assistantName??"AiSHA"})}get pageName(){let[e=""]=this.path.split("/"),t=Ne(e);return t?Pe(t,this.desk?.profile.labels??{},!0):ge("calendar"===e||"console"===e||"settings"===e?e:"overview")}page(e,t){let[s="",i=""]=t.split("/"),a=Ne(s);return"calendar"===s?h`<desk-activities .desk=${e} view="calendar"></desk-activities>`:"settings"===s?h`<desk-settings .desk=${e}></desk-settings>`:"console"===s&&e.profile.isAdmin?h`<desk-console
lang="en"
dir="ltr"
.desk=${e}
path=${t.slice(8)}
theme=${this.theme}
></desk-console>`:a?i?h`<desk-record .desk=${e} .kind=${a} recordId=${i}></desk-record>`:"opportunity"===a.type?h`<desk-board .desk=${e}></desk-board>`:"activity"===a.type?h`<desk-activities .desk=${e} view="list"></desk-activities>`:h`<desk-table .desk=${e} .kind=${a}></desk-table>`:h`<desk-dashboard .desk=${e} theme=${this.theme}></desk-dashboard>`}users(){return this.isLocal?h`<label class="row">
<span class="muted user">${ge("signed_in_as")}</span>
<select .value=${this.user} @change=${e=>this.signIn(e.target.value)}>
${ir.map(e=>h`<option value=${e} ?selected=${e===this.user}>${Ee(e)}</option>`)}
</select>
</label>`:c}get isLocal(){return null===this.token&&["localhost","127.0.0.1","[::1]"].includes(location.hostname)}signIn(e){localStorage.setItem(nr,e),location.reload()}async localToken(){let e=await fetch(`${this.api}/local/token?user=${encodeURIComponent(this.user)}&tenant=demo`);if(!e.ok)throw new Error("Nobody is signed in. Start the local server with `make run`.");return(await e.json()).token}async start(){this.error="",this.client??=y({api:this.api,token:this.source,door:"widget"});let e,t=this.client;try{e=await b(t.rest.GET("/api/ai/profile"))}catch(e){return void(this.error=Ae(e))}let s=new Fn(t);s.addEventListener("state",()=>this.requestUpdate()),this.desk={api:t,feed:s,profile:e,tell:(e,t=!1)=>this.tell(e,t),ask:e=>this.assistant?.ask(e),go:e=>this.go(e)},s.start()}go(e){location.hash=`#/${e}`}skip(e){e.preventDefault(),this.main?.focus()}setTheme(e){this.theme=e,localStorage.setItem(ar,e)}tell(e,t){this.told={text:e,isError:t},clearTimeout(this.timer),this.timer=setTimeout(()=>this.told=null,6e3)}};lr.styles=[S,T,Je,d`:host{display:grid;grid-template:auto minmax(0,1fr) / 208px minmax(0,1fr) auto;block-size:100dvh;overflow:hidden;background:var(--aisha-bg);font-family:var(--aisha-font);line-height:1.45}.skip{position:absolute;inset-inline-start:var(--aisha-2);inset-block-start:-60px;z-index:10;background:var(--aisha-raised);padding:var(--aisha-3)}.skip:focus{inset-block-start:var(--aisha-2)}.top{grid-area:1 / 1 / 2 / 3;display:flex;align-items:center;gap:var(--aisha-3);padding:var(--aisha-2) var(--aisha-4);border-block-end:1px solid var(--aisha-line)}.top strong{font-size:var(--aisha-text-m);white-space:nowrap}.top .end{margin-inline-start:auto}nav.pages{grid-area:2 / 1;display:flex;flex-direction:column;gap:2px;padding:var(--aisha-3) var(--aisha-2);border-inline-end:1px solid var(--aisha-line);overflow-y:auto}nav.pages a{padding:9px 12px;border-radius:var(--aisha-radius-s);color:var(--aisha-muted);font-weight:600;text-decoration:none;white-space:nowrap}nav.pages a:hover{background:var(--aisha-hover);color:var(--aisha-ink)}nav.pages a[aria-current=page]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}nav.pages hr{inline-size:100%;border:0;border-block-start:1px solid var(--aisha-line)}main{grid-area:2 / 2;overflow-y:auto;padding:var(--aisha-5);min-inline-size:0}aisha-assistant{grid-area:1 / 3 / 3 / 4;inline-size:400px}aisha-assistant::part(panel){box-shadow:none}aisha-assistant[minimised]{inline-size:0}.told{position:fixed;inset-block-start:var(--aisha-4);inset-inline:0;inline-size:fit-content;margin-inline:auto;z-index:6;max-inline-size:min(520px,calc(100vw - 32px));padding:var(--aisha-3) var(--aisha-4);background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius);box-shadow:var(--aisha-shadow)}@media(max-width:600px){.user{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%)}}.lost{color:var(--aisha-warn)}@media(max-width:1100px){:host{grid-template:auto auto minmax(0,1fr) / minmax(0,1fr)}.top{grid-area:1 / 1}main{grid-area:3 / 1}nav.pages{grid-area:2 / 1;flex-direction:row;padding:var(--aisha-1) var(--aisha-2);border-inline-end:0;border-block-end:1px solid var(--aisha-line);overflow-x:auto}nav.pages hr{display:none}main{padding:var(--aisha-4);padding-block-end:96px}.top{gap:var(--aisha-2)}aisha-assistant{grid-area:3 / 1;inline-size:0;block-size:0}}`],O([p()],lr.prototype,"api",2),O([p({attribute:!1})],lr.prototype,"token",2),O([m()],lr.prototype,"desk",2),O([m()],lr.prototype,"error",2),O([m()],lr.prototype,"path",2),O([m()],lr.prototype,"user",2),O([m()],lr.prototype,"theme",2),O([m()],lr.prototype,"told",2),O([g("aisha-assistant")],lr.prototype,"assistant",2),O([g("main")],lr.prototype,"main",2),lr=O([$("aisha-desk")],lr);