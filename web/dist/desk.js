/*! AiSHA, Apache-2.0; with lit, marked, DOMPurify, eventsource-parser: NOTICES.txt */
import{A as e,B as t,C as s,D as a,E as i,F as n,G as r,H as o,I as l,K as d,L as h,a as c,b as u,c as p,d as m,e as g,f,g as v,h as y,i as b,j as w,k as $,l as k,m as _,n as x,o as S,p as T,q as z,r as E,t as C,u as M,v as A,x as D,y as L,z as O}from"./parts/chunk-N37ZOZZD.js";import{a as N}from"./parts/chunk-DHP5BHIK.js";async function P({rest:e},t){await e.POST("/api/ai/analytics",{body:t}).catch(()=>{})}var R=class extends m{constructor(){super(...arguments),this.earlier=[],this.placeholder="",this.heard="",this.editing="",this.busy=!1,this.listening=!1,this.voice=!1,this.planning=!1,this.calls=!1,this.text="",this.recalled=-1,this.draft=null}fill(e){this.text=e,this.area.value=e,this.fit()}edit(e){this.draft??=this.text,this.fill(e),this.area.focus(),this.area.setSelectionRange(e.length,e.length)}updated(e){e.has("editing")&&!this.editing&&null!==this.draft&&(this.fill(this.draft),this.draft=null),this.listening&&this.area.value!==this.heard&&(this.area.value=this.heard,this.fit())}render(){let{words:e}=this,t=this.text.length-8e3;return u`${this.editing?this.change():p}
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
${this.plan()} ${this.voice?this.microphone():p} ${this.calls&&!this.text?this.call():p}
${this.busy?u`<button
class="icon-button send stop"
aria-label=${e.say("stop")}
title=${e.say("stop")}
@click=${this.stop}
>
${E("stop",16)}
</button>`:u`<button
class="icon-button send"
aria-label=${e.say("send")}
title=${e.say("send")}
?disabled=${!this.text.trim()||t>0||this.listening}
@click=${this.send}
>
${E("send")}
</button>`}
</div>
${t>0?u`<p class="problem" role="alert">${e.say("too_long",{count:e.number(t)})}</p>`:p}`}change(){let e=this.words.say("stop_editing");return u`<div class="editing">
${E("edit",15)}
<span id="editing">${this.editing}</span>
<button class="icon-button small" aria-label=${e} title=${e} @click=${this.leave}>
${E("close",15)}
</button>
</div>`}call(){let e=this.words.say("call");return u`<button
class="icon-button"
aria-label=${e}
title=${e}
?disabled=${this.busy||this.listening}
@click=${()=>this.tell("call")}
>
${E("call")}
</button>`}plan(){let e=this.words.say("plan_first");return u`<button
class="icon-button plan"
aria-label=${e}
title="${e}: ${this.words.say("plan_about")}"
aria-pressed=${this.planning}
@click=${()=>this.tell("plan")}
>
${E("plan")}
</button>`}microphone(){let e=this.words.say(this.listening?"talking":"talk");return u`<button
class="icon-button mic"
aria-label=${e}
title=${e}
aria-pressed=${this.listening}
?disabled=${this.busy}
@pointerdown=${e=>0===e.button&&this.tell("talk")}
@pointerup=${()=>this.tell("release")}
@pointercancel=${()=>this.tell("release")}
@lostpointercapture=${()=>this.listening&&this.tell("release")}
@keydown=${e=>U(e)&&!e.repeat&&this.tell("talk")}
@keyup=${e=>U(e)&&this.tell("release")}
@contextmenu=${e=>e.preventDefault()}
>
${E("mic")}
</button>`}typed(){this.text=this.area.value,this.recalled=-1,this.fit()}pressed(e){e.isComposing||("Enter"!==e.key||e.shiftKey||e.altKey?"Escape"===e.key&&this.editing?this.leave():("ArrowUp"===e.key&&!this.text||this.recalled>=0&&/^Arrow(Up|Down)$/.test(e.key))&&this.recall(e):(e.preventDefault(),this.send()))}recall(e){let t=this.recalled+("ArrowUp"===e.key?1:-1);t>=this.earlier.length||(e.preventDefault(),this.fill(t<0?"":this.earlier[t]),this.recalled=t,this.area.setSelectionRange(this.text.length,this.text.length))}send(){let e=this.text.trim();!e||this.busy||e.length>8e3||(this.fill(""),this.recalled=-1,this.tell("send",e))}leave(){this.tell("cancel"),this.area.focus()}stop(){this.tell("stop"),this.area.focus()}fit(){this.area.style.height="auto",this.area.style.height=`${Math.min(this.area.scrollHeight,180)}px`}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t}))}};function U(e){return" "===e.key||"Enter"===e.key}R.shadowRootOptions={...m.shadowRootOptions,delegatesFocus:!0},R.styles=[M,c`:host{display:block;padding:var(--aisha-2) var(--aisha-4) var(--aisha-3)}.box{display:flex;align-items:flex-end;gap:var(--aisha-1);max-inline-size:760px;margin-inline:auto;padding:5px;background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius-l)}.box:focus-within{border-color:var(--aisha-accent);box-shadow:0 0 0 1px var(--aisha-accent)}.box.listening{border-color:var(--aisha-danger)}textarea{flex:1;min-inline-size:0;min-block-size:36px;max-block-size:180px;padding:7px var(--aisha-2);line-height:22px;font-size:var(--aisha-text-m);resize:none;border:0;outline:0;background:none;scrollbar-width:thin;overflow-wrap:anywhere}textarea::placeholder{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}@media(max-width:380px){textarea::placeholder{font-size:var(--aisha-text-s)}}textarea:focus-visible{outline:none}.send{background:var(--aisha-accent-fill);color:var(--aisha-on-accent);border-radius:11px}.send:hover:not(:disabled){background:var(--aisha-accent-fill);color:var(--aisha-on-accent);filter:brightness(1.1)}.send:disabled{background:var(--aisha-hover);color:var(--aisha-muted);opacity:1}.stop svg{fill:currentColor}.plan[aria-pressed=true]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}.mic[aria-pressed=true]{background:var(--aisha-danger-fill);color:#fff}.editing{display:flex;align-items:center;gap:var(--aisha-2);max-inline-size:760px;margin:0 auto var(--aisha-1);padding-inline-start:var(--aisha-2);font-size:var(--aisha-text-s);color:var(--aisha-muted)}.editing svg{flex:none}.editing span{flex:1}.problem{max-inline-size:760px;margin:var(--aisha-1) auto 0;padding-inline:var(--aisha-2);font-size:var(--aisha-text-xs);color:var(--aisha-danger)}`],N([g({attribute:!1})],R.prototype,"words",2),N([g({attribute:!1})],R.prototype,"earlier",2),N([g()],R.prototype,"placeholder",2),N([g()],R.prototype,"heard",2),N([g()],R.prototype,"editing",2),N([g({type:Boolean})],R.prototype,"busy",2),N([g({type:Boolean})],R.prototype,"listening",2),N([g({type:Boolean})],R.prototype,"voice",2),N([g({type:Boolean})],R.prototype,"planning",2),N([g({type:Boolean})],R.prototype,"calls",2),N([f()],R.prototype,"text",2),N([v("textarea")],R.prototype,"area",2),R=N([x("aisha-composer")],R);var j="/api/ai/next-step";function q(e){let t=e.metadata;return A({id:e.id,role:e.role,text:e.content,at:new Date(e.createdAt),state:e.finished?"done":"unfinished",isReplaceable:t?.isReplaceable??!1,steps:e.toolCalls.map(W),sources:t?.sources??[],insights:t?.insights??[],nextSteps:t?.nextSteps??[],recommendedScans:t?.recommendedScans??[],followUps:t?.followUps??[],mood:t?.mood??null,usage:t?I(t):null})}function I({provider:e,model:t,usage:s,timing:a}){return t&&s&&a?{provider:e??"",model:t,degraded:!1,usage:s,timing:a}:null}function W(e){return{id:e.id,tool:e.name,arguments:e.arguments??{},state:"executed"===e.status?"done":"pending"===e.status?"waiting":"failed",startedAt:0,durationMs:null,outcome:e.line}}var F="/api/ai/flow-chat",B=new Set([404,409,410]),G=class{constructor(e){this.host=e,this.id=null,this.title="",this.messages=[],this.entities=[],this.mood=null,this.phase="idle",this.isLoading=!1,this.loadError=null,this.running=null,this.sent=new Map}get pending(){let e=this.messages.findLast(({role:e,id:t})=>"assistant"===e&&t);return e?.confirmation&&!e.decision?e:null}get spoken(){return this.messages.filter(e=>"user"===e.role).map(e=>e.text).reverse()}get editable(){let e=this.messages.at(-2);return"idle"===this.phase&&"user"===e?.role?e:null}isReplaceable(e){let{editable:t}=this;return t?.key===e&&(this.messages.at(-1)?.isReplaceable??!1)}async send(e,t=null){let s=e.trim();if(!s||"idle"!==this.phase)return;let a=null!==t&&this.isReplaceable(t)?this.messages.slice(-2):[],i=a[1]?.id,n=A({role:"assistant",state:"streaming"});this.settlePending(),this.messages=[...this.messages,A({role:"user",text:s}),n];let r=this.host.isPlanning()?F:"/api/ai/chat",o={...this.body(),message:s,...i?{replaces:i}:{}};await this.run(n.key,{path:r,body:o,key:k(),replaced:a})}async recommend(e){if("idle"!==this.phase)return null;let t=A({role:"assistant",state:"streaming",followUps:[e]});return this.messages=[...this.messages,t],await this.run(t.key,{path:j,body:this.host.request(),key:k(),replaced:[]}),"done"===this.find(t.key)?.state}async answerAgain(e){let{editable:t}=this;t&&this.messages.at(-1)?.key===e&&await this.send(t.text,t.key)}async retry(e){let t=this.sent.get(e);if(!t||"idle"!==this.phase)return;let s="invalid_input"===this.find(e)?.error?.code;this.patch(e,{state:"streaming",error:null,at:new Date}),t.asked&&this.patch(t.asked.key,{decision:t.body.userConfirmation?"approved":"rejected"}),await this.run(e,s?{...t,key:k()}:t)}stop(){this.running?.abort(new DOMException("stopped","AbortError"))}async decide(e,t,a=null){let i=this.find(e);if(!i?.confirmation||i.decision||"idle"!==this.phase)return;let{id:n}=i.confirmation,r=A({role:"assistant",state:"streaming"}),o="approve"===t;this.patch(e,{decision:o?"approved":"rejected",plan:s(i.confirmation,a),followUps:[]}),this.messages=[...this.messages,r],await this.run(r.key,{path:F,body:{...this.host.request(),userConfirmation:o,confirmationId:n,...null===a?{}:{choice:a}},key:`${n}:${t}:${H(a??"")}`,asked:i,replaced:[]})}async undo(e){let t=this.find(e);if(!t?.changes.length||t.undo)return;this.patch(e,{undo:"running"});let{undone:s,error:a}=await n(this.host.api,t.changes);this.patch(e,{undo:a?null:"done"});let i=A({role:"system",changes:s,error:a});this.messages=[...this.messages,i],this.take({changes:s,navigation:null,isUndo:!0}),this.host.changed(),this.host.answered(i)}takenBack(e){this.messages=r(this.messages,e),this.host.changed()}expire(e){this.find(e)?.decision||this.patch(e,{decision:"expired",followUps:[]})}clear(){this.stop(),this.sent.clear(),Object.assign(this,{id:null,title:"",messages:[],entities:[],mood:null,loadError:null}),this.host.kept(null),this.host.changed()}async open(e){this.stop(),this.sent.clear(),Object.assign(this,{id:e,title:"",messages:[],entities:[],mood:null,loadError:null,isLoading:!0}),this.host.changed();try{let t=await(async({rest:e},t)=>{let s,a;for(let i=0;i<20;i+=1){let i=await $(e.GET("/api/ai/conversations/{id}",{params:{path:{id:t},query:{limit:50,...s?{cursor:s}:{}}}}));if(a=a?{...i,messages:[...a.messages,...i.messages]}:i,s=i.nextCursor??void 0,!s)break}return a})(this.host.api,e);if(this.id!==e)return;this.title=t.title,this.entities=t.entities,this.messages=(e=>{let t=e.messages.filter(e=>"user"===e.role||"assistant"===e.role).map(q),a=t.at(-1);if(e.confirmation&&"assistant"===a?.role){let{confirmation:i,entities:n}=e;t[t.length-1]={...a,confirmation:i,plan:s(i),entities:n}}return t})(t),this.mood=this.messages.findLast(e=>e.mood)?.mood??null,this.host.kept(e)}catch(t){if(this.id!==e)return;let s=b(t);404===s.status?this.clear():this.loadError=s}finally{(this.id===e||null===this.id)&&(this.isLoading=!1),this.host.changed()}}patch(e,t){this.messages=this.messages.map(s=>s.key===e?{...s,...t}:s),this.host.changed()}find(e){return this.messages.find(t=>t.key===e)}body(){return{...this.host.request(),...this.id?{conversationId:this.id}:{}}}async run(e,t){this.sent.set(e,t),this.hide(t.replaced);let{signal:s}=this.begin(),{api:a}=this.host,i=t.path===j?async function*({rest:e},{provider:t,model:s},a){let{response:i,scanType:n}=await $(e.POST(j,{body:{provider:t,model:s},signal:a})),r=n?[n]:[];yield{type:"text-delta",id:"1",delta:i},yield{type:"data-conclusions",data:{sources:[],insights:[],nextSteps:[],recommendedScans:r}}}(a,t.body,s):_(a,t.path,t.body,t.key,s);try{for await(let s of i){"start"===s.type&&this.begun(s.messageMetadata.conversationId),this.followPlan(t,s);let[a,i]=o(this.find(e),s,performance.now());this.replace(a),this.take(i)}this.finish(e)}catch(a){s.aborted?(this.patch(e,{state:"stopped",...Y(this.find(e))}),this.endPlan(t),this.showAgain(t.replaced,e)):this.fail(e,b(a),t)}finally{this.end()}let n=this.find(e)?.needs;n&&!s.aborted&&await this.answerNeeds(e,n,t)}async answerNeeds(e,t,s){if(s.body.attachedData)return;let a=await this.host.provide(t).catch(()=>null);if(!a?.attachedData||"idle"!==this.phase)return;let i={...s.body,...this.body(),...a,replaces:null};this.patch(e,{needs:null,text:"",state:"streaming"}),await this.run(e,{path:s.path,body:i,key:k(),replaced:[]})}followPlan({asked:e},t){let s=e&&this.find(e.key)?.plan;s&&this.patch(e.key,{plan:a(s,t)})}endPlan({asked:e}){let t=e&&this.find(e.key)?.plan;t&&this.patch(e.key,{plan:i(t)})}begin(){return this.running=new AbortController,this.phase="processing",this.host.changed(),this.running}end(){this.running=null,this.phase="idle",this.host.changed()}begun(e){this.id!==e&&(this.id=e,this.host.kept(e))}finish(e){let t=this.find(e);this.patch(e,{state:"done",at:new Date}),t.entities.length&&(this.entities=t.entities),t.mood&&(this.mood=t.mood),t.confirmation&&this.host.confirmationNeeded(t.confirmation),this.host.answered(this.find(e))}fail(e,t,s){let{asked:a}=s;if(this.patch(e,{state:"failed",error:t,...Y(this.find(e))}),a){let e=B.has(t.status);this.patch(a.key,e?{decision:"settled"}:{decision:null,followUps:a.followUps}),this.endPlan(s)}this.showAgain(s.replaced,e),this.host.answered(this.find(e))}hide(e){let t=new Set(e.map(e=>e.key));this.messages=this.messages.filter(e=>!t.has(e.key))}showAgain(e,t){let s=this.messages.findIndex(e=>e.key===t)-1;this.messages=this.messages.toSpliced(s,0,...e)}take({changes:e,navigation:t,isUndo:s}){e.length&&this.host.recordsChanged(e),s&&this.host.takenBack(e.map(({id:e})=>e)),t&&this.host.navigated(t)}replace(e){this.messages=this.messages.map(t=>t.key===e.key?e:t),this.host.changed()}settlePending(){let{pending:e}=this;e&&(this.messages=this.messages.map(t=>t===e?{...t,decision:"settled"}:t))}};function Y(e){return e?{steps:l(e).steps}:{}}function H(e){let t=0;for(let s of e)t=Math.imul(t,31)+s.codePointAt(0)|0;return(t>>>0).toString(36)}var V=class extends m{constructor(){super(...arguments),this.last=!1,this.busy=!1,this.speaking=!1,this.isCopied=!1}render(){let{message:e,words:t}=this;return u`<div class="footer" role="group" aria-label=${t.say("answer_actions")}>
${e.changes.length?u`<button
class="button undo"
?disabled=${this.busy||null!==e.undo}
@click=${()=>this.actions.undo(e.key)}
>
${E("undo",14)}
${"done"===e.undo?t.say("undone"):t.count("undo",e.changes.length)}
</button>`:p}
${this.last&&e.isReplaceable?K(t.say("answer_again"),"retry",()=>this.actions.answerAgain(e.key),this.busy):p}
${K(t.say(this.isCopied?"copied":"copy"),this.isCopied?"check":"copy",()=>this.copy())}
${K(t.say(this.speaking?"stop_reading":"read_aloud"),this.speaking?"mute":"speak",()=>this.actions.speak(e.key))}
<aisha-feedback .message=${e} .words=${t} .actions=${this.actions}></aisha-feedback>
<span class="when" title=${this.timing()}>${t.moment(e.at)}</span>
</div>`}timing(){let{words:e,message:t}=this,{usage:s,ttsMs:a}=t;if(!s)return"";let{totalMs:i,llmMs:n}=s.timing;return`${[e.say("timing",{total:e.seconds(i)}),e.say("timing_model",{llm:e.seconds(n)}),...a?[e.say("timing_voice",{tts:e.seconds(a)})]:[]].join(", ")} · ${s.model}`}async copy(){try{await navigator.clipboard.writeText(this.message.text),this.isCopied=!0,this.actions.announce(this.words.say("copied")),setTimeout(()=>this.isCopied=!1,2e3)}catch{}}};function K(e,t,s,a=!1){return u`<button
class="icon-button small"
aria-label=${e}
title=${e}
?disabled=${a}
@click=${s}
>
${E(t,15)}
</button>`}V.styles=[M,c`.footer{display:flex;align-items:center;flex-wrap:wrap;gap:var(--aisha-1);margin-block-start:var(--aisha-2);color:var(--aisha-muted);font-size:var(--aisha-text-xs)}.footer>.icon-button:first-child{margin-inline-start:-6px}.footer .when{margin-inline-start:auto;font-variant-numeric:tabular-nums}.footer .undo{min-block-size:28px;padding:2px 10px}`],N([g({attribute:!1})],V.prototype,"message",2),N([g({attribute:!1})],V.prototype,"words",2),N([g({attribute:!1})],V.prototype,"actions",2),N([g({type:Boolean})],V.prototype,"last",2),N([g({type:Boolean})],V.prototype,"busy",2),N([g({type:Boolean})],V.prototype,"speaking",2),N([f()],V.prototype,"isCopied",2),V=N([x("aisha-answer-actions")],V);var Z=["search","get","list","create","update","delete"];function J(e,t){let s=t.named("does_",e,"");if(s)return s;let[a,...i]=e.split("_"),n=Z.find(e=>e===a);if(!n||!i.length)return O(e);let r=i.join("_");return t.say(`tool_${n}`,{what:t.named("types_",r,t.named("type_",r,O(r).toLowerCase()))})}var X=class extends m{constructor(){super(...arguments),this.steps=[],this.names=new Map}render(){if(!this.steps.length)return p;let e=this.steps.reduce((e,t)=>e+(t.durationMs??0),0);return u`<details>
<summary>
<span dir="auto"
>${this.words.count("steps",this.steps.length)}${e?u` · ${this.words.seconds(e)}`:p}</span
>
<span class="chevron">${E("chevron",14)}</span>
</summary>
<ol>
${this.steps.map(e=>this.step(e))}
</ol>
</details>`}step(e){let s=/^\d+$/.test(e.outcome)?this.words.count("found",Number(e.outcome)):e.outcome;return u`<li>
<details>
<summary>
<span class="state ${e.state}">${this.mark(e.state)}</span>
<span dir="auto">${J(e.tool,this.words)}${s?u` · ${s}`:p}</span>
<span class="time" dir="auto"
>${null===e.durationMs?p:this.words.seconds(e.durationMs)}</span
>
</summary>
${t(e.arguments,this.names,this.words)}
</details>
</li>`}mark(e){let t=u`<span class="hidden-text">${this.words.say(`step_${e}`)}</span>`;return"running"===e?u`<span class="spinner"></span>${t}`:u`${E("done"===e?"check":"failed"===e?"close":"clock",14)}${t}`}};X.styles=[M,c`:host{display:block;font-size:var(--aisha-text-s);color:var(--aisha-muted)}summary{display:inline-flex;align-items:center;gap:var(--aisha-1);min-block-size:24px;cursor:pointer;list-style:none;border-radius:var(--aisha-radius-s)}summary::-webkit-details-marker{display:none}summary:hover{color:var(--aisha-ink)}summary>.chevron svg{display:block;transition:transform var(--aisha-speed)}details[open]>summary>.chevron svg{transform:rotate(180deg)}ol{list-style:none;margin:var(--aisha-1) 0 var(--aisha-2);padding:0 0 0 var(--aisha-3);padding-inline:var(--aisha-3) 0;border-inline-start:2px solid var(--aisha-line)}li>details>summary{display:flex}.time{margin-inline-start:auto;font-variant-numeric:tabular-nums;font-size:var(--aisha-text-xs)}.state{display:inline-grid;place-items:center;inline-size:18px;flex:none}.done{color:var(--aisha-good)}.failed{color:var(--aisha-danger)}.waiting{color:var(--aisha-warn)}.spinner{inline-size:12px;block-size:12px;border:2px solid var(--aisha-line-strong);border-block-start-color:var(--aisha-accent);border-radius:50%;animation:turn .9s linear infinite}@keyframes turn{to{transform:rotate(1turn)}}.arguments,.none{margin:0 0 var(--aisha-2) 22px;margin-inline:22px 0;font-size:var(--aisha-text-xs);overflow-wrap:anywhere}.arguments>div{display:flex;gap:var(--aisha-2)}dt:after{content:":"}dd{margin:0;color:var(--aisha-ink);min-inline-size:0}dd ul{margin:0;padding-inline-start:var(--aisha-4)}dd .arguments{margin:0}`],N([g({attribute:!1})],X.prototype,"steps",2),N([g({attribute:!1})],X.prototype,"names",2),N([g({attribute:!1})],X.prototype,"words",2),X=N([x("aisha-steps")],X);var Q=class extends m{constructor(){super(...arguments),this.records=[],this.name="",this.last=!1,this.editable=!1,this.busy=!1,this.speaking=!1,this.shown=""}render(){let{message:e}=this;return"system"===e.role?this.note():"user"===e.role?u`<div class="asked">
<div class="user">
<span class="hidden-text">${this.words.say("you_said")}: </span
><span class="said" dir="auto">${e.text}</span>
</div>
${this.editable?K(this.words.say("edit_message"),"edit",()=>this.actions.edit(e.key)):p}
</div>`:u`<article aria-label=${this.words.say("assistant_said",{name:this.name})}>
<aisha-steps .steps=${e.steps} .names=${this.names} .words=${this.words}></aisha-steps>
<div class="prose" dir="auto" ?hidden=${!e.text||null!==e.confirmation}></div>
${this.status()} ${this.marks()} ${this.question()} ${"streaming"===e.state?p:this.findings()}
</article>`}updated(e){let{text:t,state:s}=this.message,a=`${"streaming"===s}${t}`;e.has("message")&&this.prose&&a!==this.shown&&(this.prose.replaceChildren(T(t,"streaming"===s)),this.shown=a)}get names(){return e(this.records,this.message.sources,this.message.entities)}note(){let{error:e,changes:t}=this.message,s=t.map(e=>e.name).join(", ");return u`${s?u`<p class="system">${E("undo",14)} ${this.words.say("undone_names",{names:s})}</p>`:p}
${e?u`<aisha-notice .words=${this.words} .text=${S(e,this.words)}></aisha-notice>`:p}`}status(){let{message:e,words:t}=this;if("streaming"!==e.state)return p;let s=e.steps.findLast(e=>"running"===e.state);if(e.text&&!s)return p;let a=s?`${J(s.tool,t)}…`:t.say("thinking");return u`<div class="status">
<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span><span>${a}</span>
</div>`}marks(){let{message:e,words:t}=this;if("stopped"===e.state)return this.stopped();if("unfinished"===e.state)return ee(t.say("unfinished"));if(e.needs&&"done"===e.state)return ee(t.say("needs_data",{names:te(e.needs)}));let{error:s}=e;if(s){let i="offline"===s.code;return u`<aisha-notice
.words=${t}
.text=${S(s,t)}
.retryAfter=${s.retryAfter}
.reference=${s.requestId??""}
?calm=${i||429===s.status}
?retryable=${a=s.status,!([402,403,404,410,413,422].includes(a)||i||e.decision)}
?disabled=${this.busy}
@retry=${()=>this.actions.retry(e.key)}
></aisha-notice>`}var a;return p}stopped(){let e=u`<button
class="button"
?disabled=${this.busy}
@click=${()=>this.actions.retry(this.message.key)}
>
${E("retry",15)} ${this.words.say("retry")}
</button>`;return u`${ee(this.words.say("stopped"),"stop")}${this.last?e:p}`}question(){let{message:e}=this;return e.confirmation&&"streaming"!==e.state?u`<aisha-confirmation
.message=${e}
.names=${this.names}
.words=${this.words}
.actions=${this.actions}
?busy=${this.busy}
></aisha-confirmation>`:p}findings(){let{message:e,words:t}=this;if("failed"===e.state)return p;let s=z(e.text),a=[...e.insights.map(e=>["bulb",e]),...e.nextSteps.filter(e=>!s.includes(e)).map(e=>["plan",e])];return u`
${e.warnings.map(e=>ee(e))} ${e.usage?.degraded?ee(t.say("degraded")):p}
${a.length?u`<div class="section">
<ul class="insights" aria-label=${t.say("insights")}>
${a.map(([e,t])=>u`<li dir="auto">${E(e,16)}<span>${t}</span></li>`)}
</ul>
</div>`:p}
${e.sources.length?u`<aisha-sources .message=${e} .words=${t} .actions=${this.actions}></aisha-sources>`:p}
${e.text?u`<aisha-answer-actions
.message=${e}
.words=${t}
.actions=${this.actions}
?last=${this.last}
?busy=${this.busy}
?speaking=${this.speaking}
></aisha-answer-actions>`:p}
${this.last?u`<aisha-follow-ups
.message=${e}
.words=${t}
.actions=${this.actions}
?busy=${this.busy}
></aisha-follow-ups>`:p}
`}};function ee(e,t="alert"){return u`<p class="mark">${E(t,14)}<span>${e}</span></p>`}function te({data:e}){return e.sections.map(({sectionId:e})=>O(e).toLowerCase()).join(", ")}Q.styles=[M,d,c`:host{display:block;padding-block:var(--aisha-2)}.asked{display:flex;flex-direction:row-reverse;align-items:center;gap:var(--aisha-1)}.user{max-inline-size:85%;padding:var(--aisha-2) var(--aisha-3);background:var(--aisha-accent-soft);border-radius:var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1) var(--aisha-radius-l);overflow-wrap:anywhere}.said{display:block;white-space:pre-wrap}:host([dir="rtl"]) .user{border-radius:var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1)}.system{display:flex;align-items:center;justify-content:center;gap:var(--aisha-2);overflow-wrap:anywhere;font-size:var(--aisha-text-s);color:var(--aisha-muted)}.status{display:flex;align-items:center;gap:var(--aisha-2);min-block-size:24px;color:var(--aisha-muted);font-size:var(--aisha-text-s)}.dots{display:inline-flex;gap:4px}.dots i{inline-size:6px;block-size:6px;border-radius:50%;background:var(--aisha-accent);animation:breathe 1.2s ease-in-out infinite}.dots i:nth-child(2){animation-delay:.15s}.dots i:nth-child(3){animation-delay:.3s}@keyframes breathe{50%{opacity:.25}}.mark{display:flex;align-items:center;gap:var(--aisha-2);margin-block-start:var(--aisha-2);font-size:var(--aisha-text-s);color:var(--aisha-warn)}.mark svg{flex:none}.section{margin-block-start:var(--aisha-3)}.insights{margin:0;padding:var(--aisha-2) var(--aisha-3);list-style:none;background:var(--aisha-raised);border-radius:var(--aisha-radius);font-size:var(--aisha-text-s)}.insights li{display:flex;gap:var(--aisha-2)}.insights span{min-inline-size:0;overflow-wrap:anywhere}.insights svg{flex:none;margin-block-start:1px;color:var(--aisha-warn)}`],N([g({attribute:!1})],Q.prototype,"message",2),N([g({attribute:!1})],Q.prototype,"words",2),N([g({attribute:!1})],Q.prototype,"actions",2),N([g({attribute:!1})],Q.prototype,"records",2),N([g()],Q.prototype,"name",2),N([g({type:Boolean})],Q.prototype,"last",2),N([g({type:Boolean})],Q.prototype,"editable",2),N([g({type:Boolean})],Q.prototype,"busy",2),N([g({type:Boolean})],Q.prototype,"speaking",2),N([v(".prose")],Q.prototype,"prose",2),Q=N([x("aisha-message")],Q);var se=class extends m{constructor(){super(...arguments),this.messages=[],this.records=[],this.name="",this.speaking=null,this.editable="",this.busy=!1,this.follows="question",this.placed=0,this.isMoreBelow=!1}firstUpdated(){this.sizes=new ResizeObserver(()=>this.place()),this.sizes.observe(this.content),this.sizes.observe(this.frame)}disconnectedCallback(){super.disconnectedCallback(),this.sizes?.disconnect()}connectedCallback(){super.connectedCallback(),this.hasUpdated&&this.firstUpdated()}updated(e){let t=e.get("messages");t&&this.messages.length>t.length&&"streaming"===this.messages.at(-1)?.state&&(this.follows="user"===this.messages.at(-2)?.role?"question":"end"),this.place()}render(){let e=this.messages.at(-1)?.key;return u`<div
class="scroll"
tabindex="0"
role="log"
aria-live="off"
aria-label=${this.words.say("transcript")}
@scroll=${this.scrolled}
>
<div class="messages">
${this.messages.map(t=>u`<aisha-message
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
${this.isMoreBelow?u`<button
class="icon-button newest"
aria-label=${this.words.say("to_newest")}
title=${this.words.say("to_newest")}
@click=${this.toEnd}
>
${E("down")}
</button>`:p}`}scrolled(){let{scrollTop:e}=this.frame;Math.abs(e-this.placed)>2&&(this.follows=this.end-e<80?"end":"nothing"),this.isMoreBelow=this.end-e>80}toEnd(){this.follows="end",this.place()}get end(){return this.frame.scrollHeight-this.frame.clientHeight}get start(){let e=this.messages.findLastIndex(e=>"user"===e.role),{confirmation:t,decision:s}=this.messages.at(-1)??{},a=this.content.children[e];return!a||t&&!s?this.end:Math.min(a.offsetTop-this.content.offsetTop,this.end)}place(){this.frame&&("nothing"!==this.follows&&(this.frame.scrollTop="end"===this.follows?this.end:this.start,this.placed=this.frame.scrollTop),this.isMoreBelow=this.end-this.frame.scrollTop>80)}};se.styles=[M,c`:host{position:relative;display:block;min-block-size:0}.scroll{block-size:100%;overflow-y:auto;overscroll-behavior:contain;scrollbar-width:thin;scrollbar-color:var(--aisha-line-strong) transparent;padding:var(--aisha-3) var(--aisha-4);outline-offset:-2px}.messages{max-inline-size:760px;margin-inline:auto}aisha-message:not([last]){content-visibility:auto;contain-intrinsic-size:auto 120px}.newest{position:absolute;inset-block-end:var(--aisha-3);inset-inline-end:var(--aisha-3);background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:50%;color:var(--aisha-ink);box-shadow:var(--aisha-shadow)}`],N([g({attribute:!1})],se.prototype,"messages",2),N([g({attribute:!1})],se.prototype,"records",2),N([g({attribute:!1})],se.prototype,"words",2),N([g({attribute:!1})],se.prototype,"actions",2),N([g()],se.prototype,"name",2),N([g()],se.prototype,"speaking",2),N([g()],se.prototype,"editable",2),N([g({type:Boolean})],se.prototype,"busy",2),N([f()],se.prototype,"isMoreBelow",2),N([v(".scroll")],se.prototype,"frame",2),N([v(".messages")],se.prototype,"content",2),se=N([x("aisha-transcript")],se);var ae=[{label:"quick_status",icon:"activity"},{label:"quick_next",icon:"bulb"},{label:"quick_analyze",icon:"opportunity"}];function ie({label:e},t,s,a){"quick_next"===e?a.recommend():a.send(t.sentence(`${e}_text`,s))}var ne=class extends m{constructor(){super(...arguments),this.onRecord=!1,this.english=!1,this.busy=!1}render(){let{words:e}=this;return u`<h3>${e.say("welcome_title")}</h3>
<p>${e.say("welcome_text")}</p>
<ul aria-label=${e.say("quick")}>
${this.onRecord?this.item({label:"quick_record",icon:"source"},null):p}
${ae.map((e,t)=>this.item(e,t+1))}
</ul>`}item(e,t){let{words:s,english:a,actions:i,busy:n}=this,{label:r}=e,o="quick_next"===r?s.say("quick_next_about"):s.sentence(`${r}_text`,a);return u`<li>
<button ?disabled=${n} @click=${()=>ie(e,s,a,i)} aria-keyshortcuts=${t??p}>
${E(e.icon,20)}
<span class="text"><strong>${s.say(r)}</strong><span>${o}</span></span>
${t?u`<kbd aria-hidden="true">${t}</kbd>`:p}
</button>
</li>`}};ne.styles=[M,c`:host{display:block}h3{margin:var(--aisha-3) 0 var(--aisha-1);font-size:var(--aisha-text-l);line-height:1.3}p{margin:0 0 var(--aisha-4);color:var(--aisha-muted);font-size:var(--aisha-text-s);line-height:1.5}ul{display:grid;gap:var(--aisha-2);margin:0;padding:0;list-style:none}li button{display:flex;align-items:center;gap:var(--aisha-3);inline-size:100%;padding:10px var(--aisha-3);text-align:start;border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);background:var(--aisha-raised);transition:background var(--aisha-speed)}li button:hover:not(:disabled){background:var(--aisha-hover)}svg{flex:none;color:var(--aisha-accent)}.text{flex:1;min-inline-size:0;line-height:1.35}strong{display:block;font-size:var(--aisha-text-s);font-weight:600}.text span{font-size:var(--aisha-text-s);color:var(--aisha-muted)}kbd{min-inline-size:20px;padding:1px 5px;text-align:center;font:inherit;font-size:var(--aisha-text-xs);color:var(--aisha-muted);border:1px solid var(--aisha-line);border-radius:5px}@media(hover:none){kbd{display:none}}`],N([g({attribute:!1})],ne.prototype,"words",2),N([g({attribute:!1})],ne.prototype,"actions",2),N([g({type:Boolean,attribute:"on-record"})],ne.prototype,"onRecord",2),N([g({type:Boolean})],ne.prototype,"english",2),N([g({type:Boolean})],ne.prototype,"busy",2),ne=N([x("aisha-welcome")],ne);var re=class extends m{constructor(){super(...arguments),this.name="",this.speaking="",this.english=!1,this.onRecord=!1}render(){let{words:e,conversation:t}=this;return t.isLoading?u`<p class="loading" role="status">${e.say("loading")}</p>`:t.loadError?u`<div class="empty">
<aisha-notice
.words=${e}
.text=${S(t.loadError,e)}
.retryAfter=${t.loadError.retryAfter}
.reference=${t.loadError.requestId??""}
retryable
@retry=${()=>t.open(t.id)}
></aisha-notice>
</div>`:t.messages.length?u`<aisha-transcript
.messages=${t.messages}
.records=${t.entities}
.words=${e}
.actions=${this.actions}
.name=${this.name}
.speaking=${this.speaking}
.editable=${t.editable?.key??""}
?busy=${"idle"!==t.phase}
></aisha-transcript>`:u`<div class="empty">
<aisha-welcome
.words=${e}
.actions=${this.actions}
?english=${this.english}
?on-record=${this.onRecord}
?busy=${"idle"!==t.phase}
></aisha-welcome>
<aisha-suggestions .api=${this.api} .words=${e} .actions=${this.actions}></aisha-suggestions>
</div>`}};re.styles=[M,c`:host{display:grid;grid-template-columns:minmax(0,1fr);min-block-size:0;min-inline-size:0}.empty{overflow-y:auto;padding:var(--aisha-3) var(--aisha-4);scrollbar-width:thin}.empty>*{max-inline-size:760px;margin-inline:auto}.loading{place-self:center;color:var(--aisha-muted);font-size:var(--aisha-text-s)}`],N([g({attribute:!1})],re.prototype,"api",2),N([g({attribute:!1})],re.prototype,"words",2),N([g({attribute:!1})],re.prototype,"actions",2),N([g({attribute:!1,hasChanged:()=>!0})],re.prototype,"conversation",2),N([g()],re.prototype,"name",2),N([g()],re.prototype,"speaking",2),N([g({type:Boolean})],re.prototype,"english",2),N([g({type:Boolean,attribute:"on-record"})],re.prototype,"onRecord",2),re=N([x("aisha-conversation")],re);var oe=class{constructor(e){this.panel=e,this.assistantName="AiSHA",this.isEnglishOnly=!1,this.voices=[]}async ask({rest:e},t){let[s,a]=await Promise.all([t?$(e.GET("/api/ai/profile")).catch(()=>null):null,$(e.GET("/api/ai/models")).catch(()=>null)]);s?.assistantName&&(this.assistantName=s.assistantName),this.isEnglishOnly="offline"===a?.providers[0]?.id,this.voices="RTCPeerConnection"in globalThis?a?.realtimeVoices??[]:[],this.panel.requestUpdate()}},le=class extends m{constructor(){super(...arguments),this.mood=null,this.name="",this.state="idle",this.view="chat",this.minimisable=!1,this.fresh=!1,this.aloud=!1}render(){let{words:e,mood:t}=this;return u`
<span class="mark" aria-hidden="true">${this.name.slice(0,1)}</span>
<div class="who">
<h2>${this.name}</h2>
<p>
<span class="light ${this.state}" aria-hidden="true"></span>
<span>${e.say(`state_${this.state}`)}</span>
${t?this.moodMark(t):p}
</p>
</div>
${this.sound()} ${this.button("new_conversation","plus",()=>this.tell("clear"),void 0,this.fresh)}
${this.button("history","history",()=>this.show("history"),"history"===this.view)}
${this.button("settings","settings",()=>this.show("settings"),"settings"===this.view)}
${this.minimisable?this.button("minimise","minimise",()=>this.tell("minimise")):p}
`}moodMark(e){let t=this.words.say("mood",{mood:this.words.named("mood_",e.sentiment,e.sentiment)});return u`<span role="img" aria-label=${t} title=${t}>${e.emoji}</span>`}button(e,t,s,a,i=!1){let n=this.words.say(e);return u`<button
class="icon-button"
aria-label=${n}
title=${n}
aria-expanded=${a??p}
?disabled=${i}
@click=${s}
>
${E(t)}
</button>`}sound(){let e=this.words.say("read_answers");return u`<button
class="icon-button"
aria-label=${e}
title=${this.aloud?this.words.say("mute"):e}
aria-pressed=${this.aloud}
@click=${()=>this.tell("sound")}
>
${E(this.aloud?"speak":"mute")}
</button>`}show(e){this.dispatchEvent(new CustomEvent("view",{detail:this.view===e?"chat":e}))}tell(e){this.dispatchEvent(new CustomEvent(e))}};le.styles=[M,c`:host{display:flex;align-items:center;gap:var(--aisha-1);min-block-size:56px;padding:var(--aisha-2) var(--aisha-3) var(--aisha-2) var(--aisha-4);padding-inline:var(--aisha-4) var(--aisha-2);border-block-end:1px solid var(--aisha-line)}.mark{position:relative;display:grid;place-items:center;inline-size:32px;block-size:32px;flex:none;margin-inline-end:var(--aisha-2);border-radius:10px;background:var(--aisha-accent-fill);color:var(--aisha-on-accent);font-weight:700;box-shadow:0 0 0 calc(var(--aisha-level, 0) * 16px) var(--aisha-accent-soft)}@media(prefers-reduced-motion:reduce){.mark{box-shadow:none}}.who{flex:1;min-inline-size:0;line-height:1.3}h2{margin:0;font-size:var(--aisha-text-m);font-weight:650;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}p{display:flex;align-items:center;gap:6px;margin:0;white-space:nowrap;font-size:var(--aisha-text-xs);color:var(--aisha-muted)}.light{inline-size:8px;block-size:8px;border-radius:50%;background:var(--aisha-good)}.light.processing,.light.listening,.light.speaking{background:var(--aisha-accent);animation:pulse 1.2s ease-in-out infinite}.light.error{background:var(--aisha-danger)}.light.offline{background:var(--aisha-warn)}@keyframes pulse{50%{opacity:.35}}`],N([g({attribute:!1})],le.prototype,"words",2),N([g({attribute:!1})],le.prototype,"mood",2),N([g()],le.prototype,"name",2),N([g()],le.prototype,"state",2),N([g()],le.prototype,"view",2),N([g({type:Boolean})],le.prototype,"minimisable",2),N([g({type:Boolean})],le.prototype,"fresh",2),N([g({type:Boolean})],le.prototype,"aloud",2),le=N([x("aisha-header")],le);var de=class extends m{constructor(){super(...arguments),this.name="",this.unread=!1}render(){let{words:e}=this,t=e.say(this.unread?"open_unread":"open");return u`<button dir=${e.direction} lang=${e.language} aria-label=${t} title=${t}>
<span aria-hidden="true">${this.name.slice(0,1)}</span>
${this.unread?u`<span class="unread"></span>`:p}
</button>`}};de.shadowRootOptions={...m.shadowRootOptions,delegatesFocus:!0},de.styles=[M,c`button{position:fixed;z-index:2147483000;inset-block-end:var(--aisha-5);inset-inline-end:var(--aisha-5);inline-size:56px;block-size:56px;display:grid;place-items:center;font-size:22px;font-weight:700;color:var(--aisha-on-accent);background:var(--aisha-accent-fill);border-radius:18px;box-shadow:var(--aisha-shadow)}.unread{position:absolute;inset-block-start:-3px;inset-inline-end:-3px;inline-size:16px;block-size:16px;border-radius:50%;background:var(--aisha-danger-fill);border:2px solid var(--aisha-bg)}`],N([g({attribute:!1})],de.prototype,"words",2),N([g()],de.prototype,"name",2),N([g({type:Boolean})],de.prototype,"unread",2),de=N([x("aisha-launcher")],de);var he=class{constructor(e,t){this.panel=e,this.returned=t,this.isOnline=navigator.onLine,this.changed=()=>{this.isOnline=navigator.onLine,this.panel.requestUpdate(),this.isOnline&&this.returned()},e.addController(this)}hostConnected(){addEventListener("online",this.changed),addEventListener("offline",this.changed)}hostDisconnected(){removeEventListener("online",this.changed),removeEventListener("offline",this.changed)}},ce="aisha.";function ue(e){try{return localStorage.getItem(ce+e)}catch{return null}}function pe(e,t){try{null===t?localStorage.removeItem(ce+e):localStorage.setItem(ce+e,t)}catch{}}var me={"not-allowed":"microphone","service-not-allowed":"microphone","audio-capture":"microphone","no-speech":"no_speech",network:"unreachable"};function ge(){let e=globalThis;return e.SpeechRecognition??e.webkitSpeechRecognition}var fe=class{constructor(e,t){this.recogniser=new(ge()),Object.assign(this.recogniser,{lang:e,continuous:!0,interimResults:!0}),this.heard=new Promise(e=>{let s="",a=null;this.recogniser.addEventListener("result",e=>{let{results:a}=e;s=Array.from(a,e=>e[0].transcript).join(" ").replace(/\s+/g," ").trim(),t(s)}),this.recogniser.addEventListener("error",e=>{a={problem:me[e.error]??"no_speech"}}),this.recogniser.addEventListener("end",()=>e(s?{text:s}:a??{problem:"no_speech"}))}),this.recogniser.start()}finish(){this.recogniser.stop()}},ve=class{constructor(e,t){this.panel=e,this.host=t,this.canListen=void 0!==ge(),this.heard="",this.speaking=null,this.problem="",this.listening=null,this.talk=async()=>{if(this.listening)return;this.stop(),this.show({problem:"",heard:""});let e=this.host.words();try{this.listening=new fe(e.locale,e=>this.show({heard:e}))}catch{return void this.tell(e.say("error_microphone"))}this.panel.requestUpdate();let t=await this.listening.heard;this.listening=null,this.show({heard:""}),this.host.said("text"in t?t.text:""),"problem"in t&&this.tell(e.say(`error_${t.problem}`))},this.finish=()=>this.listening?.finish(),e.addController(this)}hostDisconnected(){this.stop()}get isListening(){return null!==this.listening}stop(){this.speech?.stop(),this.show({speaking:null})}restart(){this.stop(),this.speech=void 0}tell(e){this.show({problem:e})}async read(e,t){let s=this.speaking===e;this.stop();let a=this.host.textOf(e);if(s||!a)return;this.show({speaking:e});try{this.speech??=new((await import("./parts/views-MZKXPG5B.js")).Speech)(this.host.api(),this.host.sounds)}catch{return void this.show({speaking:null,problem:this.host.words().say("error_unreachable")})}if(this.speaking!==e)return;let i=await this.speech.say(a,this.host.words().locale,t);this.speaking===e&&this.show({speaking:null}),this.host.timed(e,i)}show(e){Object.assign(this,e),this.panel.requestUpdate()}},ye=class{constructor(e,t){this.takenBack=t,e.addController(this)}hostConnected(){try{this.channel=new BroadcastChannel("aisha.taken_back"),this.channel.onmessage=({data:e})=>this.takenBack(e)}catch{}}hostDisconnected(){this.channel?.close()}tell(e){this.channel?.postMessage(e)}},be=class extends m{constructor(){super(...arguments),this.api="",this.theme="midnight",this.layout="sidebar",this.locale="",this.name="",this.recordType="",this.recordId="",this.page="",this.minimised=!1,this.token=null,this.clientSections=[],this.provideData=null,this.view="chat",this.isUnread=!1,this.announced="",this.isCalling=!1,this.viewsError=null,this.editing=null,this.preferences={theme:ue("theme")??"midnight",model:ue("model")??"",isReadAloud:"yes"===ue("aloud"),voice:ue("voice")??"",callVoice:ue("call_voice")??"",isPlanning:"yes"===ue("plan")},this.words=new D("en"),this.wordsOf="",this.isDark=matchMedia("(prefers-color-scheme: dark)"),this.isRedrawn=!1,this.tokenGiven=new Promise(e=>this.giveToken=e),this.actions={send:e=>{this.say(e),h(this.composer)},runScan:e=>{let{isEnglishOnly:t}=this.deployment,s=t?O(e).toLowerCase():this.words.named("scan_",e,O(e));this.actions.send(this.words.sentence("run_scan_text",t,{name:s}))},recommend:()=>{this.recommend(),h(this.composer)},retry:e=>{this.conversation.retry(e),h(this.composer)},answerAgain:e=>{this.conversation.answerAgain(e),h(this.composer)},edit:e=>{this.edit(e)},decide:(e,t,s)=>{this.conversation.decide(e,t,s),h(this.composer)},undo:e=>{this.conversation.undo(e)},expire:e=>this.conversation.expire(e),askAgain:e=>this.askAgain(e),openRecord:e=>this.navigate({page:null,record:e}),speak:e=>{this.speech.read(e,this.preferences.voice)},rate:(e,t,s)=>this.rate(e,t,s),announce:e=>this.announce(e),changed:e=>this.tellChanges(e)},this.deployment=new oe(this),this.network=new he(this,()=>{this.announce(this.words.say("back_online"));let e=this.conversation.messages.findLast(e=>"offline"===e.error?.code);e&&this.conversation.retry(e.key)}),this.tabs=new ye(this,e=>this.conversation.takenBack(e)),this.speech=new ve(this,{api:()=>this.client,words:()=>this.words,textOf:e=>this.conversation.find(e)?.text,said:e=>{this.composer?.fill(""),e&&this.say(e)},sounds:e=>this.style.setProperty("--aisha-level",e.toFixed(2)),timed:(e,t)=>{var s;this.conversation.patch(e,{ttsMs:t}),P(this.client,{commandName:"read_aloud",commandType:"voice",success:!0,executionTimeMs:s=t,timing:{ttsMs:s}})}}),this.beginCall=async()=>{this.speech.stop(),this.speech.tell(""),await this.loadViews(),this.viewsError?this.speech.tell(S(this.viewsError,this.words)):this.isCalling=!0},this.sound=()=>{let e=!this.preferences.isReadAloud;this.prefer({...this.preferences,isReadAloud:e}),e||this.speech.stop()},this.begin=async()=>{this.conversation.clear(),await this.show("chat")},this.minimise=async()=>{this.minimised=!0,pe("minimised","yes"),await this.updateComplete,this.renderRoot.querySelector("aisha-launcher")?.focus()},this.restore=async()=>{this.minimised=!1,pe("minimised",null),await this.updateComplete,h(this.composer)},this.pressed=e=>{let[t]=e.composedPath(),s=t?.matches("input, textarea, select, [contenteditable]");"Escape"===e.key&&"chat"!==this.view&&this.show("chat"),!(s||e.ctrlKey||e.metaKey||e.altKey||"chat"!==this.view)&&((e,t,s,a)=>{let i=/^[1-3]$/.test(e.key)?ae[Number(e.key)-1]:void 0;i&&(e.preventDefault(),ie(i,t,s,a))})(e,this.words,this.deployment.isEnglishOnly,this.actions)},this.redraw=()=>{this.isRedrawn=!0,this.requestUpdate()}}ask(e){this.minimised=!1,this.say(e)}async draft(e){this.minimised=!1,this.view="chat",await this.updateComplete,this.composer?.fill(e),this.composer?.focus()}async openConversation(e){this.view="chat",await this.conversation.open(e)}takenBack(e){this.conversation.takenBack(e),this.tabs.tell(e)}connectedCallback(){super.connectedCallback(),this.isDark.addEventListener("change",this.redraw),this.addEventListener("keydown",this.pressed)}disconnectedCallback(){super.disconnectedCallback(),this.isDark.removeEventListener("change",this.redraw),this.removeEventListener("keydown",this.pressed),this.conversation?.stop()}firstUpdated(){this.loadViews()}willUpdate(e){this.hasUpdated||(this.hasAttribute("theme")&&(this.preferences={...this.preferences,theme:this.theme}),this.theme=this.preferences.theme,"sidebar"===this.layout&&"yes"===ue("minimised")&&(this.minimised=!0)),(e.has("api")||!this.client)&&this.connect(),this.token&&this.giveToken(),e.has("theme")&&(this.preferences={...this.preferences,theme:this.theme}),e.has("minimised")&&(this.isUnread&&=this.minimised),this.dataset.theme="light"===this.theme||"system"===this.theme&&!this.isDark.matches?"light":"midnight"}async scheduleUpdate(){this.isRedrawn&&!document.hidden&&await new Promise(requestAnimationFrame),this.isRedrawn=!1;let e=this.locale||document.documentElement.lang||navigator.language;e!==this.wordsOf&&(this.wordsOf=e,this.words=await L(e)),super.scheduleUpdate()}render(){let{words:e}=this;if(this.minimised&&"fill"!==this.layout)return u`<aisha-launcher
.words=${e}
name=${this.calledName}
?unread=${this.isUnread}
@click=${this.restore}
></aisha-launcher>
${this.announcer()}`;let{conversation:t}=this;return u`<section
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
${this.network.isOnline?p:u`<p class="banner" role="status">${E("offline",16)} ${e.say("offline")}</p>`}
${this.speech.problem?u`<p class="banner" role="status">${E("mic",16)} ${this.speech.problem}</p>`:p}
</div>
<div class="body">${this.body()}</div>
<div>
${"chat"===this.view?this.isCalling?this.call():u`<aisha-composer
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
?calls=${this.deployment.voices.length>0}
@call=${this.beginCall}
@talk=${this.speech.talk}
@release=${this.speech.finish}
></aisha-composer>`:p}
</div>
${this.announcer()}
</section>`}call(){return u`<aisha-voice
.api=${this.client}
.words=${this.words}
.actions=${this.actions}
.conversation=${this.conversation.id}
voice=${this.preferences.callVoice}
@ended=${e=>this.endCall(e.detail)}
></aisha-voice>`}announcer(){return u`<div class="hidden-text" role="status" aria-live="polite">${this.announced}</div>`}body(){let{words:e,conversation:t,client:s,viewsError:a}=this;return"chat"!==this.view&&a?u`<aisha-notice
.words=${e}
.text=${S(a,e)}
retryable
@retry=${()=>this.show(this.view)}
></aisha-notice>`:"history"===this.view?u`<aisha-history
.api=${s}
.words=${e}
.current=${t.id}
@open=${e=>this.openConversation(e.detail)}
@removed=${e=>e.detail===t.id&&t.clear()}
></aisha-history>`:"settings"===this.view?u`<aisha-settings
.api=${s}
.words=${e}
.preferences=${this.preferences}
@change=${e=>this.prefer(e.detail)}
></aisha-settings>`:u`<aisha-conversation
.api=${s}
.words=${e}
.actions=${this.actions}
.conversation=${t}
name=${this.calledName}
speaking=${this.speech.speaking??""}
?english=${this.deployment.isEnglishOnly}
?on-record=${!!this.recordId}
></aisha-conversation>`}get calledName(){return this.name||this.deployment.assistantName}get panelState(){return this.network.isOnline?this.speech.isListening?"listening":"idle"!==this.conversation.phase?"processing":this.speech.speaking?"speaking":"failed"===this.conversation.messages.at(-1)?.state?"error":"idle":"offline"}connect(){this.conversation?.stop();let e=w({api:this.api,token:e=>this.tokenSource().then(t=>t(e)),door:"widget"});this.client=e,this.speech.restart();let t={api:e,request:()=>((e,{model:t},s)=>{let{page:a,recordType:i,recordId:n,clientSections:r}=e,[o,...l]=t.split("/"),d={page:a||null,recordType:i||null,recordId:n||null};return{locale:s,timezone:Intl.DateTimeFormat().resolvedOptions().timeZone,clientSections:r,...o?{provider:o,model:l.join("/")}:{},...a||n?{context:d}:{}}})(this,this.preferences,this.words.locale),isPlanning:()=>this.preferences.isPlanning,provide:e=>this.provide(e),changed:this.redraw,kept:e=>pe(`conversation.${this.api}`,e),answered:e=>this.answered(e),recordsChanged:e=>this.tellChanges(e),takenBack:e=>this.takenBack(e),navigated:e=>this.navigate(e),confirmationNeeded:e=>this.tell("confirmationneeded",e)};this.conversation=new G(t),this.deployment.ask(e,!this.name);let s=ue(`conversation.${this.api}`);s&&this.conversation.open(s)}async tokenSource(){return this.token||await this.tokenGiven,this.token}async say(e,t=null){this.quieten(),await this.conversation.send(e,t)}quieten(){this.view="chat",this.speech.tell(""),this.speech.stop(),this.editing=null}async edit(e){this.editing=e,await this.updateComplete,this.composer?.edit(this.conversation.find(e).text)}get editingWords(){let{editing:e,conversation:t}=this;return null!==e&&t.find(e)?this.words.say(t.isReplaceable(e)?"editing_replaces":"editing_follows"):""}askAgain(e){let{messages:t}=this.conversation,s=t.findIndex(t=>t.key===e),a=t.slice(0,Math.max(s,0)).findLast(e=>"user"===e.role);a&&this.say(a.text)}async provide(e){return await(this.provideData?.(e))??null}answered(e){this.minimised&&(this.isUnread=!0),this.announce((({error:e,role:t,changes:s,confirmation:a,text:i},n)=>e?S(e,n):"system"===t?n.say("undone_names",{names:s.map(e=>e.name).join(", ")}):a?n.say("confirm_needed",{question:z(a.question)}):z(i))(e,this.words)),this.preferences.isReadAloud&&!e.error&&!document.hidden&&this.actions.speak(e.key)}async endCall({conversationId:e,problem:t}){this.isCalling=!1,this.speech.tell(t),e&&this.conversation.open(e),await this.updateComplete,h(this.composer)}rate(e,t,s){this.conversation.patch(e,{feedback:t});let a=(n=s,"down"!==(i=t)||n?{commandName:"answer_feedback",commandType:"feedback",success:"up"===i,executionTimeMs:0,errorMessage:n}:null);var i,n;a&&P(this.client,a)}async recommend(){this.quieten();let e=this.words.sentence("quick_next_text",this.deployment.isEnglishOnly),t=performance.now(),s=await this.conversation.recommend({text:e,icon:"💡"});if(null===s)return;let a=Math.round(performance.now()-t);P(this.client,{commandName:"next_step_recommendation",commandType:"button_command",success:s,executionTimeMs:a})}navigate(e){this.tell("navigate",e)}tellChanges(e){for(let t of e)this.tell("recordchanged",t)}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}announce(e){this.announced=e===this.announced?`${e} `:e}prefer(e){var t;this.preferences=e,this.theme=e.theme,pe("theme",(t=e).theme),pe("model",t.model||null),pe("aloud",t.isReadAloud?"yes":null),pe("voice",t.voice||null),pe("call_voice",t.callVoice||null),pe("plan",t.isPlanning?"yes":null)}async show(e){this.view=e,"chat"!==e&&await this.loadViews(),await this.updateComplete,"chat"===e&&h(this.composer)}async loadViews(){this.viewsError=await import("./parts/views-MZKXPG5B.js").then(()=>null,()=>new y(0,"unreachable",""))}};be.shadowRootOptions={...m.shadowRootOptions,delegatesFocus:!0},be.styles=[C,M,c`:host{display:block;font-family:var(--aisha-font);font-size:var(--aisha-text-m);line-height:1.5;color:var(--aisha-ink);text-align:start;-webkit-text-size-adjust:100%}.panel{display:grid;grid-template:auto auto minmax(0,1fr) auto / minmax(0,1fr);background:var(--aisha-bg);block-size:100%;overflow:hidden}:host([layout="fill"]){block-size:100%;min-block-size:0}:host(:not([layout="fill"])) .panel{position:fixed;z-index:2147483000;inset-block:0;inset-inline-end:0;inline-size:min(400px,100vw);block-size:100dvh;border-inline-start:1px solid var(--aisha-line);box-shadow:var(--aisha-shadow)}@media(max-width:600px){:host(:not([layout="fill"])) .panel{inline-size:100vw;border:0}}.banner{margin:0;display:flex;align-items:center;gap:var(--aisha-2);padding:var(--aisha-2) var(--aisha-4);font-size:var(--aisha-text-s);color:var(--aisha-warn);background:var(--aisha-warn-soft)}.body{display:grid;grid-template-columns:minmax(0,1fr);min-block-size:0;min-inline-size:0}`],N([g()],be.prototype,"api",2),N([g({reflect:!0})],be.prototype,"theme",2),N([g({reflect:!0})],be.prototype,"layout",2),N([g()],be.prototype,"locale",2),N([g()],be.prototype,"name",2),N([g({attribute:"record-type"})],be.prototype,"recordType",2),N([g({attribute:"record-id"})],be.prototype,"recordId",2),N([g()],be.prototype,"page",2),N([g({type:Boolean,reflect:!0})],be.prototype,"minimised",2),N([g({attribute:!1})],be.prototype,"token",2),N([g({attribute:!1})],be.prototype,"clientSections",2),N([g({attribute:!1})],be.prototype,"provideData",2),N([f()],be.prototype,"view",2),N([f()],be.prototype,"isUnread",2),N([f()],be.prototype,"announced",2),N([f()],be.prototype,"isCalling",2),N([f()],be.prototype,"viewsError",2),N([f()],be.prototype,"editing",2),N([f()],be.prototype,"preferences",2),N([v("aisha-composer")],be.prototype,"composer",2),be=N([x("aisha-assistant")],be);var we={skip:"Go to the content",desk_name:"{name} desk",lost:"The server does not answer; trying again…",signed_in_as:"Signed in as",theme_dark:"Dark",theme_light:"Light",pages:"Pages",overview:"Overview",settings:"Settings",console:"Console",calendar:"Calendar",kind_lead:"Lead",kind_contact:"Contact",kind_account:"Account",kind_opportunity:"Deal",kind_activity:"Activity",kind_note:"Note",kind_goal:"Goal",kinds_lead:"Leads",kinds_contact:"Contacts",kinds_account:"Accounts",kinds_opportunity:"Deals",kinds_activity:"Activities",kinds_note:"Notes",kinds_goal:"Goals",kinds_any:"records",error_unknown:"Something went wrong. Please try again.",error_offline:"You are offline. This goes on when the connection is back.",error_no_answer:"The server does not answer. Please try again in a moment.",error_signed_out:"You are signed out. Load the page again to sign in.",error_server:"The server could not do this. Please try again.",try_again:"Try again",loading:"Loading…",good_morning:"Good morning",good_afternoon:"Good afternoon",good_evening:"Good evening",open_pipeline:"Open pipeline",weighted:"Weighted",open_deals:"Open deals",still_due_today:"Still due today",overdue:"Overdue",pipeline_title:"Pipeline by stage and owner",pipeline_caption:"Open pipeline by stage and owner",in_currency:"in {currency}",no_open_deals:"No open deals.",owner_others:"Others",owner_nobody:"Nobody",no_goals:"No goals are set.",latest_changes:"Latest changes",no_changes:"What the assistant changes shows here at once, with who asked for it.",next_step:"Next step",scanning:"Scanning…",run_scan:"Run the scan “{name}”",scan_data_quality:"Data quality",scan_deals_at_risk:"Deals at risk",scan_goal_progress:"Goal progress",scan_next_steps:"Next steps",scan_overdue_activities:"Overdue activities",scan_stale_leads:"Stale leads",stat_leadsOpen:"Open leads",stat_leadsWithoutActivity:"Leads without an activity",stat_opportunitiesOpen:"Open deals",stat_suggestionsPending:"Suggestions for you",stat_suggestionsAccepted:"Suggestions that you took up",no_recommendation:"No recommendation right now.",briefing:"Briefing",scan_done:"The scan is done: see the briefing.",in_all:"{count} in all",everyone:"Everyone",deals_by_stage:"Deals by stage",no_deals:"There are no deals yet. Ask the assistant to create one.",other_stages:"Other stages",was_due:"was due {day}",no_date:"no date",column_name:"Name",column_about:"About",column_written:"Written",search_by_name:"Search by name",search_in:"Search {kinds}",nothing_fits:"Nothing fits this search.",none_yet:"There are no {kinds} yet.",show_more:"Show more",any_status:"Any status",any_health:"Any health",you:"you",mark_created:"created by {who}",mark_updated:"updated by {who}",mark_deleted:"deleted by {who}",was_deleted:"{name} was deleted by {who}.",details:"Details",no_activities:"No activities yet.",no_notes:"No notes yet.",move_to:"Move to",ask_today:"What is on my plate today?",ask_next:"What should I do next?",ask_summary:"Summarize",ask_call:"Call tomorrow at 10",ask_complete:"Mark as completed",list:"List",view:"View",group_overdue:"Overdue",group_today:"Today",group_next:"Next 7 days",group_later:"Later",group_undated:"Without a date",group_done:"Done",plan_one:"There are no activities yet. Ask the assistant to plan one.",month_before:"Month before",month_after:"Month after",today:"Today",calendar_of:"Calendar of {month}",more:"{count} more",changes:"Changes",undo:"Undo",dismiss:"Dismiss",own_created:"You created the {kind} {name}",own_deleted:"You deleted the {kind} {name}",own_undone:"You took back a change of {name}",own_moved:"You moved {name} from {before} to {after}",own_set:"You set the {field} of {name} from {before} to {after}",own_changed:"You changed {fields} of {name}",own_updated:"You changed {name}",own_many_created:"You created {count} {kinds}",own_many_updated:"You updated {count} {kinds}",own_many_deleted:"You deleted {count} {kinds}",own_many_undone:"You took back a change of {count} {kinds}",other_created:"{who} created the {kind} {name}",other_deleted:"{who} deleted the {kind} {name}",other_undone:"{who} took back a change of {name}",other_moved:"{who} moved {name} from {before} to {after}",other_set:"{who} set the {field} of {name} from {before} to {after}",other_changed:"{who} changed {fields} of {name}",other_updated:"{who} changed {name}",other_many_created:"{who} created {count} {kinds}",other_many_updated:"{who} updated {count} {kinds}",other_many_deleted:"{who} deleted {count} {kinds}",other_many_undone:"{who} took back a change of {count} {kinds}",notifications:"Notifications",notifications_due:"Notifications: {count} due",nothing_due:"Nothing is due.",what_comes:"What comes, and how you are told",how_it_answers:"How it answers",mode_default:"Balanced",mode_default_text:"Complete answers of the usual length.",mode_voice:"For listening",mode_voice_text:"Short, without lists or tables.",mode_brief:"Brief",mode_brief_text:"Two sentences at most.",mode_coach:"Coach",mode_coach_text:"Explains its reasons and asks a question that helps you on.",standing_instructions:"Standing instructions",instruction_hint:"Say once what it should always keep to, such as “Give amounts in euros”.",new_instruction:"New instruction",add:"Add",also_sent_by:"Also sent by",in_app:"Nothing else: in the app alone",email:"Email",webhook:"Webhook",webhook_url:"Address of the webhook",signing_hint:"The secret of its signatures, shown only now:",digest:"A digest every day",digest_at:"At",due_and_coming:"Due and coming up",nothing_coming:"Nothing is due. Ask the assistant to remind you of something.",memories:"Memories",memories_hint:"Nothing yet. Say “remember that ABC Corp pays late”.",sticky_notes:"Sticky notes",sticky_hint:"Nothing yet. Say “remind me to buy flowers tomorrow”.",delete:"Delete",delete_one:"Delete: {text}",saved:"Saved.",deleted:"Deleted.",language:"Language",language_browser:"As the browser",language_hint:"Of this page and of the assistant’s panel.",tab_usage:"Usage",tab_turns:"Turns",tab_analytics:"Analytics",tab_audit:"Audit",tab_tools:"Tools",tab_roles:"Roles",tab_assistant:"Assistant",tab_documents:"Documents",tab_connections:"CRM",tab_health:"Health",actions:"Actions",any:"Any",filter:"Filter",holds_soon:"It holds within a minute.",none:"None.",refresh:"Refresh",remove:"Remove",remove_one:"Remove {what}",save:"Save",column_user:"User",column_time:"Time",column_door:"Through",column_tool:"Tool",column_tools:"Tools",column_record:"Record",column_records:"Records",column_model:"Model",column_turns:"Turns",column_failed:"Failed",column_tokens:"Tokens",column_cost:"Cost",column_took:"Took",column_done:"What it did",column_toolkit:"Toolkit",column_access:"Access",column_confirmation:"Confirmation",column_module:"Module",column_rule:"Rule",column_role:"Role",last_days:"Last {count} days",budget:"Budget of this month",budget_of:"of {budget} ({percent})",budget_spent:"Spent of the budget",budget_hint:"When the budget is used up no paid model is asked; the offline planner goes on answering at no cost.",plan:"Plan",requests:"Requests",requests_limit:"{user} a minute for each user, {tenant} an hour for all",turns_by_day:"Turns by day",turns_answered:"Answered",by_user:"By user",by_model:"By model",no_turns:"No turns yet. Ask the assistant something.",usage_cut:"Only the newest {count} turns and commands are counted.",only_failed:"Only failed ones",all_turns:"All turns",turn:"Turn",turn_when:"When",turn_user:"{user}, through {door}",turn_mode:"Mode",turn_calls:"Model calls",turn_tokens:"{read} read, {written} written",turn_error:"Error",turn_warnings:"Warnings",turn_asked:"Asked about",turn_ids:"Ids",turn_steps:"Time by step",turn_prompt:"Prompt by section, in tokens",turn_no_prompt:"None: no model was asked.",turn_tools:"Tool calls",turn_no_tools:"This turn used no tool.",turn_arguments:"Arguments",turn_private:"What was said is not shown here: only the user reads their conversations. Records before and after a change are in the audit log.",no_commands:"No commands yet. Ask the assistant something.",commands:"Commands",commands_succeeded:"Succeeded",commands_whole:"Whole command",commands_heard:"Speech to text",commands_spoken:"Text to speech",commands_frequent:"Most frequent commands",commands_times:"Times",commands_failures:"Latest failures",commands_none_failed:"None of the last {count} commands failed.",commands_cut:"Older commands are left out.",chain:"Chain",chain_entries:"{count} entries, each with the hash of the one before.",chain_intact:"None was changed, moved or removed.",chain_head:"Keep the last hash elsewhere to notice a log that was written anew:",audit_record_hint:"Name or id",audit_none_fits:"No call fits these filters.",audit_none:"No tool has been called yet. Ask the assistant something.",audit_log:"Audit log",audit_details:"Arguments and records",tools_hint:"A rule holds for everyone and only restricts: “ask” makes a tool wait for a yes, “deny” takes it away. Whatever deletes or leaves the CRM asks in any case.",tool_denied:"Taken away by its rule",tool_rule:"Rule for {tool}",tool_no_rule:"No rule",tool_rule_saved:"The rule for {tool} is saved.",confirms_none:"Runs when it is ordered",confirms_destructive:"Asks before it deletes",confirms_always:"Always asks",trust:"Trust",trust_hint:"The assistant asks before a write that the user’s own words do not order, such as a note that it would add by itself. A role that you trust with a tool is not asked about these. Deletions, email, changes of more than ten records and whatever lasts are asked about in any case.",trust_roles:"Trusted roles",trust_nobody:"Nobody is trusted further: everyone is asked.",trust_add:"Trust",trust_saved:"{role}: trusted with {tool}.",role_rules:"Rules by role",role_rules_hint:"“Ask” makes a tool wait for a yes from users with the role, “deny” takes it away from them. The strictest of all rules that apply holds, also of those under Tools, so “allow” loosens nothing.",role_rules_none:"There are no rules for single roles.",role_rule_add:"Add rule",role_rule_saved:"{role}: the rule for {tool} is “{rule}”.",role_hint:"e.g. manager",role_all:"All roles",role_of:"{tool} for {role}",role_removed:"Removed: {what}.",choose_tool:"Choose a tool",persona:"Persona",persona_hint:"Up to ten lines on character and tone, such as “Warm, and never pushy”.",own_words:"Your words for records",own_words_saved:"Load the page again to see the new words.",operator_plan:"Plan: {plan}.",operator_models:"Only models of {provider}.",operator_masked:"Addresses and numbers are masked for models.",operator_unmasked:"Contact data is not masked.",operator_sets:"The operator sets these.",documents_hint:"What the assistant reads when a question is about your own rules and products.",document_add:"Add a document",document_file:"File (Markdown or text)",document_about:"What it is about",document_none:"There are no documents yet.",document_delete:"Delete for good",document_keep:"Keep",document_saved:"Saved. The assistant reads it from now on.",sweep:"Last sweep",connection_address:"Address",connection_state:"State",connection_ready:"ready",connection_loading:"first load",connection_read:"Last read",connection_lag:"Age of the copy",connection_error:"Last error",connection_problems:"Could not be read",connection_check:"Check",connection_check_hint:"Reads one page of each type of record and says what maps and what does not. It writes nothing.",connection_check_run:"Check the connection",connection_none:"No CRM is connected",connection_how:"A connection is made by whoever runs the deployment, as the CRM's token must never pass through this page.",connection_crm:"CRM",connection_secret:"Put the token into the secret store under the name {secret} behind the deployment's prefix. Then run, with the CRM's address:",sweep_state:"State",sweep_daily:"Every day",sweep_later:"Not yet: it begins when somebody runs a scan or saves their notification settings",sweep_began:"Began",sweep_read:"{records} on {pages} pages",sweep_partly:"{records} on {pages} pages, not all",sweep_found:"{found} found, {fresh} new",sweep_failed:"{count} pages failed",sweep_jobs:"Open jobs",part_assistant:"Assistant",part_conversations:"Conversations",part_documents:"Documents",part_insights:"Insights",part_intelligence:"Intelligence",part_jobs:"Jobs",part_model:"Model",part_records:"Records",part_scans:"Scans",part_suggestions:"Suggestions",part_tools:"Tools",door_schedule:"schedule",door_voice:"voice",yes:"Yes",no:"No",field_owner:"Owner",field_amount:"Amount",field_currency:"Currency",field_stage:"Stage",field_probability:"Probability",field_close_date:"Close date",field_next_step:"Next step",field_created_at:"Created",field_updated_at:"Updated",field_company:"Company",field_job_title:"Job title",field_email:"Email",field_phone:"Phone",field_status:"Status",field_source:"Source",field_score:"Score",field_estimated_value:"Estimated value",field_value:"Value",field_last_contacted_at:"Last contact",field_next_action:"Next action",field_address:"Address",field_tags:"Tags",field_industry:"Industry",field_type:"Type",field_health:"Health",field_annual_revenue:"Revenue",field_employee_count:"Employees",field_website:"Website",field_activity_type:"Type",field_note_type:"Type",field_due_at:"Due",field_completed_at:"Completed",field_priority:"Priority",field_related:"About",field_title:"Title",field_description:"Description",field_content:"Text",field_is_private:"Private",value_prospecting:"Prospecting",value_qualification:"Qualification",value_proposal:"Proposal",value_negotiation:"Negotiation",value_closed_won:"Closed won",value_closed_lost:"Closed lost",value_new:"New",value_contacted:"Contacted",value_warm:"Warm",value_qualified:"Qualified",value_unqualified:"Unqualified",value_converted:"Converted",value_lost:"Lost",value_website:"Website",value_referral:"Referral",value_cold_call:"Cold call",value_social_media:"Social media",value_trade_show:"Trade show",value_advertising:"Advertising",value_other:"Other",value_active:"Active",value_inactive:"Inactive",value_prospect:"Prospect",value_customer:"Customer",value_partner:"Partner",value_vendor:"Vendor",value_competitor:"Competitor",value_unknown:"Unknown",value_healthy:"Healthy",value_at_risk:"At risk",value_churning:"Churning",value_scheduled:"Scheduled",value_completed:"Completed",value_cancelled:"Cancelled",value_call:"Call",value_email:"Email",value_meeting:"Meeting",value_task:"Task",value_demo:"Demo",value_follow_up:"Follow up",value_general:"General",value_call_log:"Call log",value_important:"Important",value_low:"Low",value_normal:"Normal",value_high:"High",value_urgent:"Urgent",value_executed:"Executed",value_failed:"Failed",value_rejected:"Rejected",value_pending:"Pending",value_not_found:"Not found",value_intended:"Intended",value_unreadable:"Unreadable",value_needs_confirmation:"Needs confirmation",value_needs_data:"Needs data",value_warning:"Warning",value_read:"Read",value_write:"Write",value_delete:"Delete",value_external:"External",value_allow:"Allow",value_ask:"Ask",value_deny:"Deny",value_intact:"Intact",value_broken:"Broken",value_degraded:"Degraded",value_ok:"OK",value_unavailable:"Unavailable",value_never:"Never",value_scanning:"Scanning",value_settling:"Settling",value_done:"Done",value_stalled:"Stalled",value_waiting:"Waiting",value_running:"Running"},$e="desk.locale",ke={de:()=>import("./parts/de-SZC4DNGQ.js"),es:()=>import("./parts/es-F4BNPVRY.js"),fr:()=>import("./parts/fr-2KKPK4WY.js")},_e={en:"English",de:"Deutsch",es:"Español",fr:"Français"},xe=new D(navigator.language,"en",we,we);function Se(){return ue($e)??""}function Te(e,t={}){return xe.say(e,t)}function ze(e,t,s){return xe.named(e,t,s)}function Ee(){return xe.locale}function Ce(){return xe.direction}function Me(e){return e.profile.values["opportunity.stage"]??[]}function Ae(e){if(!(e instanceof Error))return Te("error_unknown");if(e.message)return e.message;let{status:t,code:s}=e;return Te("offline"===s?"error_offline":0===t?"error_no_answer":401===t?"error_signed_out":"error_server")}function De(e,t="USD",s=!1){let a=Number(e);if(!Number.isFinite(a))return"—";try{return new Intl.NumberFormat(Ee(),{style:"currency",currency:String(t||"USD"),maximumFractionDigits:s?1:a%1?2:0,notation:s?"compact":"standard"}).format(a)}catch{return`${Oe(a)} ${String(t)}`}}function Le(e){let t=0===e||e>=.1?2:5;return new Intl.NumberFormat(Ee(),{style:"currency",currency:"USD",maximumFractionDigits:t}).format(e)}function Oe(e){return new Intl.NumberFormat(Ee(),{maximumFractionDigits:1}).format(e)}function Ne(e){return new Intl.NumberFormat(Ee(),{style:"percent",maximumFractionDigits:1}).format(e)}function Pe(e){let t=String(e??""),s=/^\d{4}-\d{2}-\d{2}$/.test(t),a=new Date(s?`${t}T00:00`:t);return Number.isNaN(a.getTime())?null:a}function Re(e){let t=Pe(e);if(!t)return"—";let s=t.getFullYear()===(new Date).getFullYear();return t.toLocaleDateString(Ee(),{day:"numeric",month:"short",...s?{}:{year:"numeric"}})}function Ue(e){let t=Pe(e);return t?t.toLocaleTimeString(Ee(),{hour:"numeric",minute:"2-digit"}):""}function je(e){return`${Re(e)}, ${Ue(e)}`}function qe(e){let t=e=>new Date(e.getFullYear(),e.getMonth(),e.getDate()).getTime();return Math.round((t(e)-t(new Date))/864e5)}function Ie(e){let t=Pe(e);if(!t)return"—";let s=qe(t);return Math.abs(s)>13?Re(e):new Intl.RelativeTimeFormat(Ee(),{numeric:"auto"}).format(s,"day")}function We(e){let t=e.replace(/[_-]+/g," ").trim();return t.charAt(0).toUpperCase()+t.slice(1)}function Fe(e){return e>=1e3?`${Oe(e/1e3)} s`:`${Math.round(e)} ms`}var Be=[{type:"lead",page:"leads",module:"leads"},{type:"contact",page:"contacts",module:"contacts"},{type:"account",page:"accounts",module:"accounts"},{type:"opportunity",page:"opportunities",module:"opportunities"},{type:"activity",page:"activities",module:"activities"},{type:"note",page:"notes",module:"notes"}];function Ge(e){return Be.find(t=>t.type===e)}function Ye(e){return Be.find(t=>t.page===e)}function He(e,t,s=!1){let a=t[e.type];if(!a)return Te(s?`kinds_${e.type}`:`kind_${e.type}`);let i=a.charAt(0).toUpperCase()+a.slice(1);return s&&!i.endsWith("s")?`${i}s`:i}function Ve(e,t){let s=e.custom?.[t];return"string"==typeof s&&s?s:null}function Ke(e){return Object.entries(e.custom??{}).filter(([t,s])=>!(t in e)&&null!==s&&""!==s).map(([e])=>e)}function Ze(e,t){let s=(e.custom??{})[t]??"";return"boolean"==typeof s?Te(s?"yes":"no"):nt(s)}function Je(e,t,s){let a=Ve(e,t),i=String(e[t]??"");return a&&s.find(e=>e.label===a)||s.find(e=>e.key===i)||s.find(e=>e.countsAs===i)}function Xe(e){return!String(e.stage).startsWith("closed")}function Qe(e){return ze("field_",e,We(e.replace(/_id$/,"").replace(/_at$/,"")))}function et(e){return ze("value_",e,We(e))}function tt(e){return ze("kinds_",Be.find(t=>t.module===e)?.type??e.replace(/s$/,""),ze("part_",e,et(e)))}function st(e){return ze("door_",e,e)}function at(e){return e.label===We(e.key)?et(e.key):e.label}function it(e,t){let s=e[t];return null==s||""===s?"—":"boolean"==typeof s?Te(s?"yes":"no"):/amount|value|revenue/.test(t)?De(s,e.currency):/(_at|_date)$/.test(t)?Re(s):"probability"===t?`${String(s)}%`:"owner"===t?We(String(s)):Array.isArray(s)?s.map(nt).join(", ")||"—":Ve(e,t)||(["status","stage","source","health","priority","activity_type","note_type","type"].includes(t)?et(String(s)):nt(s))}function nt(e){return"object"!=typeof e||null===e?String(e):"string"==typeof e.name?e.name:Object.values(e).filter(e=>"object"!=typeof e&&""!==e).join(", ")}function rt(e){let t=lt(ze("kind_",e.entity.type,e.entity.type)),s={who:e.user,kind:t,name:e.entity.name},a=e.isOwn?"own":"other";if("undo_last"===e.tool)return Te(`${a}_undone`,s);if("updated"!==e.action)return Te(`${a}_${e.action}`,s);let{before:i,after:n}=e;for(let e of["stage","status","health","owner"])if(e in n||Ve(n,e)!==Ve(i,e)){let t={before:it(i,e),after:it(n,e)};return"stage"===e?Te(`${a}_moved`,{...s,...t}):Te(`${a}_set`,{...s,...t,field:lt(Qe(e))})}let r=Ke({...n,...i,custom:n.custom}),o=[...Object.keys(n).filter(e=>!["version","updated_at","custom"].includes(e)),...r.filter(e=>Ze(n,e)!==Ze(i,e))];return o.length?Te(`${a}_changed`,{...s,fields:o.slice(0,3).map(e=>lt(Qe(e))).join(", ")}):Te(`${a}_updated`,s)}function ot(e){return Te(`mark_${e.action}`,{who:e.isOwn?Te("you"):e.user})}function lt(e){return Ee().startsWith("de")?e:e.toLocaleLowerCase(Ee())}var dt=c`:host{display:block;font-size:var(--aisha-text-s);color:var(--aisha-ink)}h1{margin:0;font-size:20px;letter-spacing:-.01em}h2{margin:0 0 var(--aisha-3);font-size:var(--aisha-text-m)}p{margin:0}a{color:var(--aisha-accent)}.muted{color:var(--aisha-muted)}.row{display:flex;flex-wrap:wrap;align-items:center;gap:var(--aisha-3)}.head{display:flex;flex-wrap:wrap;align-items:center;gap:var(--aisha-3);margin-block-end:var(--aisha-4)}.row .end,.head .end{margin-inline-start:auto}.card{background:var(--aisha-raised);border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);padding:var(--aisha-4)}.grid{display:grid;gap:var(--aisha-4);grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr))}.stack{display:grid;align-content:start;gap:var(--aisha-3)}.stack>h2{margin:0}.scroll{overflow:auto;border:1px solid var(--aisha-line);border-radius:var(--aisha-radius)}table{inline-size:100%;border-collapse:collapse}th{position:sticky;inset-block-start:0;background:var(--aisha-raised);color:var(--aisha-muted);font-weight:600;text-align:start;white-space:nowrap}th,td{padding:9px var(--aisha-3);border-block-end:1px solid var(--aisha-line);vertical-align:top}tr:last-child td{border-block-end:0}:where(dd,dt,li,td):not([dir]){unicode-bidi:plaintext;text-align:-webkit-match-parent;text-align:match-parent}td[dir],dd[dir],h1[dir]{text-align:-webkit-match-parent;text-align:match-parent}.number,td.number{text-align:end;unicode-bidi:isolate;white-space:nowrap;font-variant-numeric:tabular-nums}td.name{overflow-wrap:anywhere;min-inline-size:16ch;max-inline-size:48ch}.tool{overflow-wrap:break-word}input::file-selector-button{margin-inline-end:var(--aisha-3);padding:2px 10px;font:inherit;font-weight:600;color:inherit;background:var(--aisha-hover);border:0;border-radius:var(--aisha-radius-s);cursor:pointer}progress{appearance:none;display:block;inline-size:100%;block-size:8px;border:0;border-radius:4px;overflow:hidden;background:var(--aisha-hover)}progress::-webkit-progress-bar{background:var(--aisha-hover)}progress::-webkit-progress-value{background:var(--aisha-accent-fill)}progress::-moz-progress-bar{background:var(--aisha-accent-fill)}.badge{display:inline-block;padding:2px 8px;border-radius:999px;font-size:var(--aisha-text-xs);font-weight:600;background:var(--aisha-hover);color:var(--aisha-ink);white-space:nowrap}.badge.good{color:var(--aisha-good)}.badge.warn{color:var(--aisha-warn);background:var(--aisha-warn-soft)}.badge.bad{color:var(--aisha-danger);background:var(--aisha-danger-soft)}.badge.accent{color:var(--aisha-accent);background:var(--aisha-accent-soft)}.link{color:var(--aisha-accent);font-weight:600;text-align:start;text-decoration:none;border-radius:4px}.link:hover{text-decoration:underline}.marked{background:var(--aisha-accent-soft);box-shadow:inset 3px 0 0 var(--aisha-accent)}.empty{display:grid;gap:var(--aisha-3);justify-items:center;padding:var(--aisha-6);text-align:center;color:var(--aisha-muted);border:1px dashed var(--aisha-line-strong);border-radius:var(--aisha-radius)}.error{color:var(--aisha-danger)}.skeleton{block-size:220px;border-radius:var(--aisha-radius);background:var(--aisha-raised);border:1px solid var(--aisha-line);animation:wait 1.6s ease-in-out infinite alternate}@keyframes wait{to{opacity:.55}}.tabs{display:flex;flex-wrap:wrap;gap:var(--aisha-1)}.tabs a,.tabs button{padding:7px 12px;border-radius:var(--aisha-radius-s);color:var(--aisha-muted);font-weight:600;text-decoration:none}.tabs a:hover,.tabs button:hover{background:var(--aisha-hover);color:var(--aisha-ink)}.tabs [aria-current=page],.tabs [aria-pressed=true]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}label.field{display:grid;gap:var(--aisha-1);font-weight:600}label.field .muted,label.field :is(input,select,textarea){font-weight:400}label.field :is(input,select,textarea){inline-size:100%}dl.fields{display:grid;grid-template-columns:minmax(9ch,auto) 1fr;gap:var(--aisha-2) var(--aisha-4);margin:0}dl.fields dt{color:var(--aisha-muted)}dl.fields dd{margin:0;overflow-wrap:anywhere}code,pre{font-family:var(--aisha-mono);font-size:var(--aisha-text-xs);overflow-wrap:anywhere;white-space:pre-wrap;margin:0}`,ht={warm:"warn",qualified:"good",completed:"good",executed:"good",closed_won:"good",healthy:"good",ok:"good",done:"good",open:"accent",scheduled:"accent",proposal:"accent",negotiation:"accent",needs_confirmation:"warn",pending:"warn",at_risk:"warn",high:"warn",urgent:"bad",overdue:"bad",critical:"bad",failed:"bad",rejected:"bad",unavailable:"bad",stalled:"bad",lost:"bad",closed_lost:"bad"};function ct(e,t){return"string"==typeof e&&e?u`<span class="badge ${t??ht[e]??""}">${et(e)}</span>`:p}var ut="none";function pt(e){return u`<span class="tool"
>${e.split("_").map((e,t)=>t?u`_<wbr />${e}`:e)}</span
>`}function mt(e,t){let s=e[t],a=Ve(e,t);return a||s?u`<span class="badge ${ht[String(s)]??""}">${a??et(String(s))}</span>`:p}function gt(e,t=p){return u`<div class="empty">
<p>${e}</p>
${t}
</div>`}function ft(e,t){return u`<div class="empty" role="alert">
<p class="error">${e}</p>
<button class="button" @click=${t}>${Te("try_again")}</button>
</div>`}function vt(){return u`<div class="skeleton" role="status"><span class="hidden-text">${Te("loading")}</span></div>`}var yt=class extends m{constructor(){super(...arguments),this.due=[],this.error="",this.load=async()=>{try{this.due=(await $(this.desk.api.rest.GET("/api/ai/notifications"))).notifications,this.error=""}catch(e){this.error=Ae(e)}},this.close=()=>{this.details.open=!1}}firstUpdated(){this.desk.feed.addEventListener("changes",this.load),this.timer=setInterval(this.load,3e5),this.load()}disconnectedCallback(){super.disconnectedCallback(),this.desk.feed.removeEventListener("changes",this.load),clearInterval(this.timer)}render(){let e=this.due.length;return u`<details @keydown=${this.pressed} @focusout=${this.left}>
<summary aria-label=${Te("notifications_due",{count:e})} title=${Te("notifications")}>
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
${e?u`<span class="badge accent">${e}</span>`:p}
</summary>
<div class="card list">
${this.error?u`<p class="error" role="alert">${this.error}</p>`:e?u`<ul>
${this.due.map(e=>u`<li>${this.linked(e)}<span class="muted">${je(e.dueAt)}</span></li>`)}
</ul>`:u`<p class="muted">${Te("nothing_due")}</p>`}
<a class="link" href="#/settings" @click=${this.close}>${Te("what_comes")}</a>
</div>
</details>`}linked(e){let t="activity"===e.source?Ge("activity"):e.entity?Ge(e.entity.type):void 0,s="activity"===e.source?e.id:e.entity?.id;return t&&s?u`<a class="link" dir="auto" href="#/${t.page}/${s}" @click=${this.close}>${e.title}</a>`:u`<span dir="auto">${e.title}</span>`}pressed(e){"Escape"!==e.key||!this.details.open||(this.close(),this.details.querySelector("summary")?.focus())}left(e){e.relatedTarget&&!this.details.contains(e.relatedTarget)&&this.close()}};function bt({changes:[e]}){return e.isOwn&&"undo_last"!==e.tool}yt.styles=[M,dt,c`details{position:relative}summary{display:flex;align-items:center;gap:var(--aisha-1);padding:6px 10px;border-radius:var(--aisha-radius-s);cursor:pointer;list-style:none}summary::-webkit-details-marker{display:none}summary:hover{background:var(--aisha-hover)}.list{position:absolute;inset-inline-end:0;inset-block-start:calc(100% + 4px);z-index:5;inline-size:min(340px,calc(100vw - 32px));max-block-size:60vh;overflow-y:auto;box-shadow:var(--aisha-shadow)}ul{display:grid;gap:var(--aisha-3);margin:0 0 var(--aisha-3);padding:0;list-style:none}li{overflow-wrap:anywhere}li .muted{display:block}`],N([g({attribute:!1})],yt.prototype,"desk",2),N([f()],yt.prototype,"due",2),N([f()],yt.prototype,"error",2),N([v("details")],yt.prototype,"details",2),yt=N([x("desk-bell")],yt);var wt=class extends m{constructor(){super(...arguments),this.shown=[],this.undoing="",this.take=e=>{let t=new Map;for(let s of e.detail){let e=s.operation??String(s.sequence);t.set(e,[...t.get(e)??[],s])}for(let[e,s]of t)this.forgetUndone(s),this.shown=[{key:e,changes:s},...this.shown.filter(t=>t.key!==e)].slice(0,10),setTimeout(()=>this.expire(e),s[0].isOwn?3e4:12e3)}}connectedCallback(){super.connectedCallback(),this.desk.feed.addEventListener("changes",this.take)}disconnectedCallback(){super.disconnectedCallback(),this.desk.feed.removeEventListener("changes",this.take)}render(){return u`<aside aria-label=${Te("changes")}>
<div role="status" class="hidden-text">${this.shown[0]?this.words(this.shown[0]):p}</div>
${this.visible().map(e=>this.row(e))}
</aside>`}visible(){let e=this.shown.find(bt);return this.shown.filter(t=>t===e||!bt(t)).slice(0,3)}row(e){let t=e.changes[0],s=bt(e)&&t.operation;return u`<div class="change">
<p>${this.words(e)}</p>
${s?u`<button class="button" ?disabled=${this.undoing===e.key} @click=${()=>this.undo(e)}>
${Te("undo")}
</button>`:p}
<button class="icon-button small" aria-label=${Te("dismiss")} @click=${()=>this.dismiss(e)}>✕</button>
</div>`}words(e){let t=e.changes[0],s=e.changes.length;if(1===s)return`${rt(t)}.`;let a=lt(ze("kinds_",t.entity.type,Te("kinds_any")));return`${Te(`${t.isOwn?"own":"other"}_many_${"undo_last"===t.tool?"undone":t.action}`,{who:t.user,count:s,kinds:a})}.`}forgetUndone(e){if("undo_last"!==e[0].tool)return;let t=new Set(e.map(e=>e.entity.id));this.shown=this.shown.filter(e=>!e.changes.every(e=>t.has(e.entity.id)))}expire(e){this.matches(":hover, :focus-within")?setTimeout(()=>this.expire(e),12e3):this.drop(e)}dismiss(e){let t=bt(e);this.shown=this.shown.filter(s=>s!==e&&!(t&&bt(s)))}drop(e){this.shown=this.shown.filter(t=>t.key!==e)}async undo(e){this.undoing=e.key;try{let t=e.changes[0].operation??null;await this.desk.api.rest.POST("/api/ai/undo",{params:{header:{"Idempotency-Key":`undo.${e.key}`}},body:{operation:t}}),this.shown=this.shown.filter(t=>t.key!==e.key),this.desk.takenBack(e.changes.map(e=>e.entity.id)),this.desk.feed.poke()}catch(e){this.desk.tell(Ae(e),!0)}this.undoing=""}};wt.styles=[M,dt,c`:host{position:fixed;inset-block-end:var(--aisha-4);inset-inline-start:var(--aisha-4);z-index:5;inline-size:min(440px,calc(100vw - 2 * var(--aisha-4)));pointer-events:none}@media(max-width:600px){:host{inset-block-end:calc(56px + 2 * var(--aisha-5))}}aside{display:grid;gap:var(--aisha-2)}.change{display:flex;align-items:center;gap:var(--aisha-3);padding:var(--aisha-3) var(--aisha-4);background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius);box-shadow:var(--aisha-shadow);pointer-events:auto}.change p{flex:1;overflow-wrap:anywhere;display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}`],N([g({attribute:!1})],wt.prototype,"desk",2),N([f()],wt.prototype,"shown",2),N([f()],wt.prototype,"undoing",2),wt=N([x("desk-changes")],wt);var $t=class extends EventTarget{constructor(e){super(),this.api=e,this.recent=[],this.isLost=!1,this.marked=new Map,this.next=null,this.failures=0,this.isPolling=!1,this.isAsked=!1,this.isStopped=!0,this.poke=()=>{this.isPolling?this.isAsked=!0:this.isStopped||this.poll()}}start(){this.isStopped=!1,document.addEventListener("visibilitychange",this.poke),addEventListener("online",this.poke),this.poll()}stop(){this.isStopped=!0,clearTimeout(this.timer),document.removeEventListener("visibilitychange",this.poke),removeEventListener("online",this.poke)}markOf(e){return this.marked.get(e)}async poll(){clearTimeout(this.timer),this.isPolling=!0;let e=!1;try{let t=null===this.next?{}:{since:this.next},s=await $(this.api.rest.GET("/api/crm/changes",{params:{query:t}})),a=null===this.next;this.next=s.next,e=s.hasMore,this.recent=[...s.items.toReversed(),...this.recent].slice(0,50),this.setLost(0),!a&&s.items.length?this.publish(s.items):a&&this.dispatchEvent(new CustomEvent("changes",{detail:[]}))}catch{this.setLost(this.failures+1)}if(this.isPolling=!1,this.isStopped)return;let t=e||this.isAsked;this.isAsked=!1,this.timer=setTimeout(()=>{this.poll()},t?0:this.waitMs())}publish(e){for(let t of e)this.marked.set(t.entity.id,t),setTimeout(()=>{this.marked.get(t.entity.id)===t&&(this.marked.delete(t.entity.id),this.dispatchEvent(new Event("marks")))},12e3);this.dispatchEvent(new CustomEvent("changes",{detail:e}))}setLost(e){this.failures=e;let t=e>1;t!==this.isLost&&(this.isLost=t,this.dispatchEvent(new Event("state")))}waitMs(){let e=document.hidden?3e4:2500;return Math.min(e*2**Math.min(this.failures,5),Math.max(6e4,e))}},kt=class{constructor(e,t,s=!1){this.host=e,this.type=t,this.isWhole=s,this.items=[],this.total=null,this.next=null,this.isLoading=!0,this.error="",this.filters={},this.attempt=0,this.redraw=()=>this.host.requestUpdate(),this.apply=e=>{let t=e.detail.filter(e=>e.entity.type===this.type);if(t.length){if(Object.values(this.filters).some(Boolean))return void this.load(this.filters);for(let e of t)this.take(e);this.host.requestUpdate()}},e.addController(this)}hostConnected(){this.host.desk?.feed.addEventListener("changes",this.apply),this.host.desk?.feed.addEventListener("marks",this.redraw)}hostDisconnected(){this.host.desk?.feed.removeEventListener("changes",this.apply),this.host.desk?.feed.removeEventListener("marks",this.redraw)}async load(e={}){this.hostConnected(),this.filters=e;let t=this.attempt+=1;this.isLoading=!0,this.error="",this.host.requestUpdate();try{let e=[],s=null;for(let a=0;a<(this.isWhole?20:1);a+=1){let a=await this.page(s);if(t!==this.attempt)return;if(e=[...e,...a.items],[this.total,s]=[a.total,a.next_cursor],!s)break}[this.items,this.next]=[e,s]}catch(e){if(t!==this.attempt)return;this.error=Ae(e)}this.isLoading=!1,this.host.requestUpdate()}async more(){let e=this.attempt;if(this.next&&!this.isLoading){this.isLoading=!0,this.host.requestUpdate();try{let t=await this.page(this.next);if(e!==this.attempt)return;let s=new Set(this.items.map(e=>e.id));this.items=[...this.items,...t.items.filter(e=>!s.has(e.id))],this.next=t.next_cursor}catch(e){this.host.desk.tell(Ae(e),!0)}this.isLoading=!1,this.host.requestUpdate()}}async page(e){let t={...this.filters,limit:50,...e?{cursor:e}:{}};return await $(this.host.desk.api.rest.GET("/api/crm/{type}",{params:{path:{type:this.type},query:t}}))}take(e){let t=this.items.findIndex(t=>t.id===e.entity.id),s=e.record;s?t>=0?this.items=this.items.with(t,s):("created"===e.action||"undo_last"===e.tool)&&(this.items=[s,...this.items],this.total=null===this.total?null:this.total+1):(t>=0&&(this.total=null===this.total?null:this.total-1),this.items=this.items.filter(t=>t.id!==e.entity.id))}},_t="What is on my plate today?";function xt(e,t){return`Move the deal ${t.display_name} to the stage ${e}`}var St=Be.find(e=>"activity"===e.type),Tt=["overdue","today","next","later","undated","done"],zt=class extends m{constructor(){super(...arguments),this.view="list",this.month=Mt(new Date),this.openDay=""}firstUpdated(){this.list=new kt(this,"activity",!0),this.list.load()}render(){let e=this.list;return u`<div class="head">
<h1>${He(St,this.desk.profile.labels,!0)}</h1>
<nav class="tabs" aria-label=${Te("view")}>
<a href="#/activities" aria-current=${"list"===this.view?"page":p}>${Te("list")}</a>
<a href="#/calendar" aria-current=${"calendar"===this.view?"page":p}>${Te("calendar")}</a>
</nav>
<button class="button end" title=${_t} @click=${()=>this.desk.ask(_t)}>${Te("ask_today")}</button>
</div>
${!e||e.isLoading&&!e.items.length?vt():e.error?ft(e.error,()=>e.load()):"calendar"===this.view?this.calendar(e.items):this.groups(e.items)}`}groups(e){if(!e.length)return gt(Te("plan_one"));let t=new Map(Tt.map(e=>[e,[]]));for(let s of e)t.get(Et(s)).push(s);return u`${Tt.map(e=>{let s=Ct(t.get(e),"done"===e),a="done"===e?s.slice(0,20):s;return a.length?u`<section>
<h2>${Te(`group_${e}`)} <span class="muted">${s.length}</span></h2>
<div class="scroll" tabindex="0" role="region" aria-label=${Te(`group_${e}`)}>
<table class="group">
<tbody>
${a.map(e=>this.row(e))}
</tbody>
</table>
</div>
</section>`:p})}`}row(e){let t=e.related,s=this.desk.feed.markOf(e.id);return u`<tr class=${s?"marked":""}>
<td class="name">
<a class="link" dir="auto" href="#/activities/${e.id}">${e.display_name}</a>
${s?u` <span class="badge accent">${ot(s)}</span>`:p}
${a=e,["scheduled","completed"].includes(String(a.status))?p:u` ${mt(e,"status")}`}
</td>
<td dir="auto">${t?.name??"—"}</td>
<td>${e.due_at?je(e.due_at):"—"}</td>
<td>${et(String(e.activity_type))}</td>
<td>${e.owner?We(String(e.owner)):"—"}</td>
</tr>`;var a}calendar(e){let t=new Map;for(let s of e){let e=Pe(s.due_at);e&&t.set(e.toDateString(),[...t.get(e.toDateString())??[],s])}let s=(e=>{let t=(e.getDay()+6)%7,s=new Date(e.getFullYear(),e.getMonth()+1,0).getDate(),a=Math.min(6,Math.ceil((t+s)/7));return Array.from({length:7*a},(s,a)=>new Date(e.getFullYear(),e.getMonth(),1-t+a))})(this.month),[a,i]="rtl"===Ce()?["›","‹"]:["‹","›"],n=this.month.toLocaleDateString(Ee(),{month:"long",year:"numeric"});return u`<div class="head">
<button class="icon-button" aria-label=${Te("month_before")} @click=${()=>this.turn(-1)}>${a}</button>
<h2 aria-live="polite">${n}</h2>
<button class="icon-button" aria-label=${Te("month_after")} @click=${()=>this.turn(1)}>${i}</button>
<button class="button" @click=${()=>this.month=Mt(new Date)}>${Te("today")}</button>
</div>
<div class="scroll" tabindex="0" role="region" aria-label=${Te("calendar_of",{month:n})}>
<table class="calendar">
<thead>
<tr>
${s.slice(0,7).map(e=>u`<th scope="col">${e.toLocaleDateString(Ee(),{weekday:"short"})}</th>`)}
</tr>
</thead>
<tbody>
${Array.from({length:s.length/7},(e,a)=>u`<tr>
${s.slice(7*a,7*a+7).map(e=>this.day(e,t.get(e.toDateString())??[]))}
</tr>`)}
</tbody>
</table>
</div>`}day(e,t){let s=e.getMonth()!==this.month.getMonth(),a=t.length<=4||this.openDay===e.toDateString(),i=a?Ct(t):Ct(t).slice(0,3);return u`<td class="${s?"other":""} ${0===qe(e)?"today":""}">
<span class="day">${e.getDate()}</span>
${i.map(e=>u`<a
class="entry ${String(e.status)} ${this.desk.feed.markOf(e.id)?"marked":""}"
href="#/activities/${e.id}"
title=${e.display_name}
>${Ue(e.due_at)} <span dir="auto">${e.display_name}</span></a
>`)}
${a?p:u`<button class="link rest" @click=${()=>this.openDay=e.toDateString()}>
${Te("more",{count:t.length-i.length})}
</button>`}
</td>`}turn(e){this.month=new Date(this.month.getFullYear(),this.month.getMonth()+e,1)}};function Et(e){if("scheduled"!==e.status)return"done";let t=Pe(e.due_at);if(!t)return"undated";let s=qe(t);return t.getTime()<Date.now()?"overdue":0===s?"today":s<=7?"next":"later"}function Ct(e,t=!1){let s=e=>Pe(e.due_at)?.getTime()??0;return e.toSorted((e,a)=>t?s(a)-s(e):s(e)-s(a))}function Mt(e){return new Date(e.getFullYear(),e.getMonth(),1)}zt.styles=[M,dt,c`section{margin-block-end:var(--aisha-5)}h2{margin-block-end:var(--aisha-2)}.head h2{margin:0;min-inline-size:9em;text-align:center}.head .icon-button{font-size:22px}.group{table-layout:fixed}.group td{overflow-wrap:anywhere;min-inline-size:0}.group td:nth-child(1){inline-size:34%}.group td:nth-child(2),.group td:nth-child(3){inline-size:22%}@media(max-width:600px){.group td:nth-child(n+4){display:none}.group td:nth-child(1){inline-size:42%}.group td:nth-child(n){padding-inline:var(--aisha-2)}}.calendar{table-layout:fixed;min-inline-size:640px}.calendar td{block-size:96px;padding:var(--aisha-1);border-inline-end:1px solid var(--aisha-line)}.calendar td.other{background:var(--aisha-sunken)}.day{display:inline-block;min-inline-size:24px;padding:2px 4px;text-align:center;color:var(--aisha-muted);border-radius:999px}.today .day{background:var(--aisha-accent-fill);color:var(--aisha-on-accent);font-weight:700}.entry{min-block-size:24px;padding:3px 6px;margin-block-start:3px;border-radius:4px;font-size:var(--aisha-text-xs);background:var(--aisha-hover);color:inherit;text-decoration:none;display:block}.entry span{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;text-align:-webkit-match-parent;text-align:match-parent}.rest{min-block-size:24px;padding-inline:6px;font-size:var(--aisha-text-xs)}.entry.completed,.entry.cancelled{color:var(--aisha-muted)}.entry.completed span:first-child:before{content:"\\2713  " / ""}.entry.cancelled{text-decoration:line-through}`],N([g({attribute:!1})],zt.prototype,"desk",2),N([g()],zt.prototype,"view",2),N([f()],zt.prototype,"month",2),N([f()],zt.prototype,"openDay",2),zt=N([x("desk-activities")],zt);var At=Be.find(e=>"opportunity"===e.type),Dt=class extends m{constructor(){super(...arguments),this.over="",this.owner="",this.whole=new Set,this.seen=new Set}firstUpdated(){this.list=new kt(this,"opportunity",!0),this.list.load()}updated(){for(let e of this.renderRoot.querySelectorAll(".card.marked")){let t=`${e.getAttribute("href")} ${e.querySelector(".news")?.textContent}`;this.seen.has(t)||(this.seen.add(t),e.scrollIntoView({block:"nearest",inline:"nearest"}))}}render(){let e=this.list;if(!e||e.isLoading&&!e.items.length)return vt();if(e.error)return ft(e.error,()=>e.load());let t=[...new Set(e.items.map(e=>String(e.owner??"")))].filter(Boolean).sort();return u`<div class="head">
<h1>${He(At,this.desk.profile.labels,!0)}</h1>
<span class="muted">${Te("in_all",{count:`${e.items.length}${e.next?"+":""}`})}</span>
<label class="row end">
<span class="muted">${Te("field_owner")}</span>
<select
.value=${this.owner}
@change=${e=>this.owner=e.target.value}
>
<option value="">${Te("everyone")}</option>
${t.map(e=>u`<option value=${e}>${We(e)}</option>`)}
</select>
</label>
</div>
${e.items.length?this.board(e.items):gt(Te("no_deals"))}`}board(e){let t=this.columns(e),s=t.filter(({stage:e})=>Lt(e));return u`<div class="board">
<div class="open" role="group" tabindex="0" aria-label=${Te("deals_by_stage")}>
${t.filter(({stage:e})=>!Lt(e)).map(({stage:e,deals:t})=>this.column(e,t))}
</div>
${s.length?u`<div class="closed">${s.map(({stage:e,deals:t})=>this.closed(e,t))}</div>`:p}
</div>`}closed(e,t){let s=t.toSorted((e,t)=>String(t.close_date).localeCompare(String(e.close_date)));return this.column(e,t,this.whole.has(e.key)?s:s.filter((e,t)=>t<3||!!this.desk.feed.markOf(e.id)))}columns(e){let t=Me(this.desk),s=e.filter(e=>!this.owner||e.owner===this.owner),a=new Map(t.map(e=>[e,[]]));for(let e of s){let s=Je(e,"stage",t)??null;a.set(s,[...a.get(s)??[],e])}return[...a].map(([e,t])=>({stage:e,deals:t}))}column(e,t,s=t){let a=e?at(e):Te("other_stages");return u`<section
class=${e&&this.over===e.key?"over":""}
aria-label="${a}, ${t.length}"
@dragover=${t=>this.hover(t,e)}
@dragleave=${()=>this.over=""}
@drop=${t=>this.drop(t,e)}
>
<header>
<h2>${a}<span class="muted">${t.length}</span></h2>
<span class="muted">${Ot(t)}</span>
</header>
<ul>
${s.map(e=>u`<li>${this.card(e)}</li>`)}
</ul>
${s.length<t.length?u`<button class="link" @click=${()=>this.whole=new Set(this.whole).add(e.key)}>
${Te("more",{count:t.length-s.length})}
</button>`:p}
</section>`}card(e){let t=this.desk.feed.markOf(e.id),s=Pe(e.close_date),a=s&&Xe(e)&&qe(s)<0;return u`<a
class="card ${t?"marked":""}"
href="#/opportunities/${e.id}"
draggable="true"
@dragstart=${()=>this.dragged=e}
>
<strong>${e.display_name}</strong>
<span>${De(e.amount,e.currency)}</span>
<span class="foot muted">
<span class=${a?"late":""}
>${s?a?Te("was_due",{day:Ie(e.close_date)}):Ie(e.close_date):Te("no_date")}</span
>
<span>${e.owner?We(String(e.owner)):""}</span>
</span>
${t?u`<span class="news">${rt(t)}</span>`:p}
</a>`}hover(e,t){!t||!this.dragged||Je(this.dragged,"stage",Me(this.desk))===t||(e.preventDefault(),this.over=t.key)}drop(e,t){e.preventDefault(),this.over="",this.dragged&&t&&this.desk.ask(xt(t.label,this.dragged)),this.dragged=void 0}};function Lt(e){return"won"===e?.outcome||"lost"===e?.outcome}function Ot(e){let t=new Map;for(let s of e){let e=String(s.currency??"USD");t.set(e,(t.get(e)??0)+Number(s.amount??0))}return[...t].map(([e,t])=>De(t,e,!0)).join(" + ")||"—"}Dt.styles=[M,dt,c`.board{display:grid;grid-template-columns:minmax(0,1fr) 148px;align-items:start;gap:var(--aisha-2)}.open{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(140px,1fr);gap:var(--aisha-2);overflow-x:auto;scroll-snap-type:x proximity;padding-block-end:var(--aisha-1);align-items:start}.open:last-child{grid-column:1 / -1}.closed{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));align-items:start;gap:var(--aisha-2)}@media(max-width:700px){.board{grid-template-columns:minmax(0,1fr)}}section{background:var(--aisha-sunken);border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);padding:var(--aisha-2);scroll-snap-align:start}.open section{min-block-size:180px}section.over{border-color:var(--aisha-accent);background:var(--aisha-accent-soft)}header{display:grid;gap:2px;padding:var(--aisha-2)}h2{display:flex;justify-content:space-between;gap:var(--aisha-1);margin:0;font-size:var(--aisha-text-s);overflow-wrap:anywhere}ul{display:grid;gap:var(--aisha-2);margin:0;padding:0;list-style:none}.card{display:grid;gap:var(--aisha-1);inline-size:100%;padding:var(--aisha-3);text-align:start;cursor:pointer;text-decoration:none;color:inherit}.card:hover{border-color:var(--aisha-line-strong)}.card strong{overflow-wrap:anywhere;display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}.card.marked{border-color:var(--aisha-accent);animation:arrive .6s ease-out}.foot{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 var(--aisha-2)}.late{color:var(--aisha-danger)}.news{font-size:var(--aisha-text-xs);color:var(--aisha-accent);overflow-wrap:anywhere}@keyframes arrive{0%{transform:translateY(-6px);opacity:.3}}`],N([g({attribute:!1})],Dt.prototype,"desk",2),N([f()],Dt.prototype,"over",2),N([f()],Dt.prototype,"owner",2),N([f()],Dt.prototype,"whole",2),Dt=N([x("desk-board")],Dt);var Nt,Pt,Rt="u-off",Ut="u-label",jt="width",qt="height",It="bottom",Wt="left",Ft="right",Bt="#000",Gt=Bt+"0",Yt="mousemove",Ht="mousedown",Vt="mouseup",Kt="mouseenter",Zt="mouseleave",Jt="dblclick",Xt="change",Qt="dppxchange",es="--",ts=typeof window<"u",ss=ts?document:null,as=ts?window:null,is=ts?navigator:null;function ns(e,t){if(null!=t){let s=e.classList;!s.contains(t)&&s.add(t)}}function rs(e,t){let s=e.classList;s.contains(t)&&s.remove(t)}function os(e,t,s){e.style[t]=s+"px"}function ls(e,t,s,a){let i=ss.createElement(e);return null!=t&&ns(i,t),s?.insertBefore(i,a),i}function ds(e,t){return ls("div",e,t)}var hs=new WeakMap;function cs(e,t,s,a,i){let n="translate("+t+"px,"+s+"px)";n!=hs.get(e)&&(e.style.transform=n,hs.set(e,n),t<0||s<0||t>a||s>i?ns(e,Rt):rs(e,Rt))}var us=new WeakMap;function ps(e,t,s){let a=t+s;a!=us.get(e)&&(us.set(e,a),e.style.background=t,e.style.borderColor=s)}var ms=new WeakMap;function gs(e,t,s,a){let i=t+""+s;i!=ms.get(e)&&(ms.set(e,i),e.style.height=s+"px",e.style.width=t+"px",e.style.marginLeft=a?-t/2+"px":0,e.style.marginTop=a?-s/2+"px":0)}var fs={passive:!0},vs={...fs,capture:!0};function ys(e,t,s,a){t.addEventListener(e,s,a?vs:fs)}function bs(e,t,s,a){t.removeEventListener(e,s,fs)}function ws(e,t,s,a){let i;s=s||0;let n=(a=a||t.length-1)<=2147483647;for(;a-s>1;)i=n?s+a>>1:js((s+a)/2),t[i]<e?s=i:a=i;return e-t[s]<=t[a]-e?s:a}function $s(e){return(t,s,a)=>{let i=-1,n=-1;for(let n=s;n<=a;n++)if(e(t[n])){i=n;break}for(let i=a;i>=s;i--)if(e(t[i])){n=i;break}return[i,n]}}ts&&function e(){let t=devicePixelRatio;Nt!=t&&(Nt=t,Pt&&bs(Xt,Pt,e),Pt=matchMedia(`(min-resolution: ${Nt-.001}dppx) and (max-resolution: ${Nt+.001}dppx)`),ys(Xt,Pt,e),as.dispatchEvent(new CustomEvent(Qt)))}();var ks=e=>null!=e,_s=e=>null!=e&&e>0,xs=$s(ks),Ss=$s(_s);function Ts(e,t,s,a){let i=Gs(e),n=Gs(t);e==t&&(-1==i?(e*=s,t/=s):(e/=s,t*=s));let r=10==s?Ys:Hs,o=1==n?Is:js,l=(1==i?js:Is)(r(Us(e))),d=o(r(Us(t))),h=Bs(s,l),c=Bs(s,d);return 10==s&&(l<0&&(h=ha(h,-l)),d<0&&(c=ha(c,-d))),a||2==s?(e=h*i,t=c*n):(e=da(e,h),t=la(t,c)),[e,t]}function zs(e,t,s,a){let i=Ts(e,t,s,a);return 0==e&&(i[0]=0),0==t&&(i[1]=0),i}var Es={mode:3,pad:.1},Cs={pad:0,soft:null,mode:0},Ms={min:Cs,max:Cs};function As(e,t,s,a){return wa(s)?Ls(e,t,s):(Cs.pad=s,Cs.soft=a?0:null,Cs.mode=a?3:0,Ls(e,t,Ms))}function Ds(e,t){return e??t}function Ls(e,t,s){let a=s.min,i=s.max,n=Ds(a.pad,0),r=Ds(i.pad,0),o=Ds(a.hard,-Ks),l=Ds(i.hard,Ks),d=Ds(a.soft,Ks),h=Ds(i.soft,-Ks),c=Ds(a.mode,0),u=Ds(i.mode,0),p=t-e,m=Ys(p),g=Fs(Us(e),Us(t)),f=Ys(g),v=Us(f-m);(p<1e-24||v>10)&&(p=0,(0==e||0==t)&&(p=1e-24,2==c&&d!=Ks&&(n=0),2==u&&h!=-Ks&&(r=0)));let y=p||g||1e3,b=Ys(y),w=Bs(10,js(b)),$=ha(da(e-y*(0==p?0==e?.1:1:n),w/10),24),k=e>=d&&(1==c||3==c&&$<=d||2==c&&$>=d)?d:Ks,_=Fs(o,$<k&&e>=k?k:Ws(k,$)),x=ha(la(t+y*(0==p?0==t?.1:1:r),w/10),24),S=t<=h&&(1==u||3==u&&x>=h||2==u&&x<=h)?h:-Ks,T=Ws(l,x>S&&t<=S?S:Fs(S,x));return _==T&&0==_&&(T=100),[_,T]}var Os=new Intl.NumberFormat(ts?is.language:"en-US"),Ns=e=>Os.format(e),Ps=Math,Rs=Ps.PI,Us=Ps.abs,js=Ps.floor,qs=Ps.round,Is=Ps.ceil,Ws=Ps.min,Fs=Ps.max,Bs=Ps.pow,Gs=Ps.sign,Ys=Ps.log10,Hs=Ps.log2,Vs=(e,t=1)=>Ps.asinh(e/t),Ks=1/0;function Zs(e){return 1+(0|Ys((e^e>>31)-(e>>31)))}function Js(e,t,s){return Ws(Fs(e,t),s)}function Xs(e){return"function"==typeof e}function Qs(e){return Xs(e)?e:()=>e}var ea=e=>e,ta=(e,t)=>t,sa=e=>null,aa=e=>!0,ia=(e,t)=>e==t,na=/\.\d*?(?=9{6,}|0{6,})/gm,ra=e=>{if(ya(e)||ca.has(e))return e;let t=`${e}`,s=t.match(na);if(null==s)return e;let a=s[0].length-1;if(-1!=t.indexOf("e-")){let[e,s]=t.split("e");return+`${ra(e)}e${s}`}return ha(e,a)};function oa(e,t){return ra(ha(ra(e/t))*t)}function la(e,t){return ra(Is(ra(e/t))*t)}function da(e,t){return ra(js(ra(e/t))*t)}function ha(e,t=0){if(ya(e))return e;let s=10**t;return qs(e*s*(1+Number.EPSILON))/s}var ca=new Map;function ua(e){return((""+e).split(".")[1]||"").length}function pa(e,t,s,a){let i=[],n=a.map(ua);for(let r=t;r<s;r++){let t=Us(r),s=ha(Bs(e,r),t);for(let o=0;o<a.length;o++){let l=10==e?+`${a[o]}e${r}`:a[o]*s,d=(r>=0?0:t)+(r>=n[o]?0:n[o]),h=10==e?l:ha(l,d);i.push(h),ca.set(h,d)}}return i}var ma={},ga=[],fa=[null,null],va=Array.isArray,ya=Number.isInteger;function ba(e){return"string"==typeof e}function wa(e){let t=!1;if(null!=e){let s=e.constructor;t=null==s||s==Object}return t}function $a(e){return null!=e&&"object"==typeof e}var ka=Object.getPrototypeOf(Uint8Array),_a="__proto__";function xa(e,t=wa){let s;if(va(e)){let a=e.find(e=>null!=e);if(va(a)||t(a)){s=Array(e.length);for(let a=0;a<e.length;a++)s[a]=xa(e[a],t)}else s=e.slice()}else if(e instanceof ka)s=e.slice();else if(t(e)){s={};for(let a in e)a!=_a&&(s[a]=xa(e[a],t))}else s=e;return s}function Sa(e){let t=arguments;for(let s=1;s<t.length;s++){let a=t[s];for(let t in a)t!=_a&&(wa(e[t])?Sa(e[t],xa(a[t])):e[t]=xa(a[t]))}return e}function Ta(e,t,s){for(let a,i=0,n=-1;i<t.length;i++){let r=t[i];if(r>n){for(a=r-1;a>=0&&null==e[a];)e[a--]=null;for(a=r+1;a<s&&null==e[a];)e[n=a++]=null}}}var za=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask,Ea=["January","February","March","April","May","June","July","August","September","October","November","December"],Ca=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Ma(e){return e.slice(0,3)}var Aa=Ca.map(Ma),Da=Ea.map(Ma),La={MMMM:Ea,MMM:Da,WWWW:Ca,WWW:Aa};function Oa(e){return(e<10?"0":"")+e}var Na={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Oa(e.getMonth()+1),M:e=>e.getMonth()+1,DD:e=>Oa(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Oa(e.getHours()),H:e=>e.getHours(),h:e=>{let t=e.getHours();return 0==t?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Oa(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>Oa(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>(e=>(e<10?"00":e<100?"0":"")+e)(e.getMilliseconds())};function Pa(e,t){t=t||La;let s,a=[],i=/\{([a-z]+)\}|[^{]+/gi;for(;s=i.exec(e);)a.push("{"==s[0][0]?Na[s[1]]:s[0]);return e=>{let s="";for(let i=0;i<a.length;i++)s+="string"==typeof a[i]?a[i]:a[i](e,t);return s}}var Ra=(new Intl.DateTimeFormat).resolvedOptions().timeZone,Ua=e=>e%1==0,ja=[1,2,2.5,5],qa=pa(10,-32,0,ja),Ia=pa(10,0,32,ja),Wa=Ia.filter(Ua),Fa=qa.concat(Ia),Ba="{YYYY}",Ga="\n"+Ba,Ya="{M}/{D}",Ha="\n"+Ya,Va=Ha+"/{YY}",Ka="{aa}",Za="{h}:{mm}"+Ka,Ja="\n"+Za,Xa=":{ss}",Qa=null;function ei(e){let t=1e3*e,s=60*t,a=60*s,i=24*a,n=30*i,r=365*i;return[(1==e?pa(10,0,3,ja).filter(Ua):pa(10,-3,0,ja)).concat([t,5*t,10*t,15*t,30*t,s,5*s,10*s,15*s,30*s,a,2*a,3*a,4*a,6*a,8*a,12*a,i,2*i,3*i,4*i,5*i,6*i,7*i,8*i,9*i,10*i,15*i,n,2*n,3*n,4*n,6*n,r,2*r,5*r,10*r,25*r,50*r,100*r]),[[r,Ba,Qa,Qa,Qa,Qa,Qa,Qa,1],[28*i,"{MMM}",Ga,Qa,Qa,Qa,Qa,Qa,1],[i,Ya,Ga,Qa,Qa,Qa,Qa,Qa,1],[a,"{h}"+Ka,Va,Qa,Ha,Qa,Qa,Qa,1],[s,Za,Va,Qa,Ha,Qa,Qa,Qa,1],[t,Xa,Va+" "+Za,Qa,Ha+" "+Za,Qa,Ja,Qa,1],[e,Xa+".{fff}",Va+" "+Za,Qa,Ha+" "+Za,Qa,Ja,Qa,1]],t=>(o,l,d,h,c,u)=>{let p=[],m=c>=r,g=c>=n&&c<r,f=t(d),v=ha(f*e,3),y=di(f.getFullYear(),m?0:f.getMonth(),g||m?1:f.getDate()),b=ha(y*e,3);if(g||m){let s=g?c/n:0,a=m?c/r:0,i=v==b?v:ha(di(y.getFullYear()+a,y.getMonth()+s,1)*e,3),o=new Date(qs(i/e)),l=o.getFullYear(),d=o.getMonth();for(let n=0;i<=h;n++){let r=di(l+a*n,d+s*n,1),o=r-t(ha(r*e,3));i=ha((+r+o)*e,3),i<=h&&p.push(i)}}else{let n=c>=i?i:c,r=b+(js(d)-js(v))+la(v-b,n);p.push(r);let m=t(r),g=m.getHours()+m.getMinutes()/s+m.getSeconds()/a,f=c/a,y=u/o.axes[l]._space;for(;r=ha(r+c,1==e?0:3),!(r>h);)if(f>1){let e=js(ha(g+f,6))%24,s=t(r).getHours()-e;s>1&&(s=-1),r-=s*a,g=(g+f)%24,ha((r-p[p.length-1])/c,3)*y>=.7&&p.push(r)}else p.push(r)}return p}]}var[ti,si,ai]=ei(1),[ii,ni,ri]=ei(.001);function oi(e,t){return e.map(e=>e.map((s,a)=>0==a||8==a||null==s?s:t(1==a||0==e[8]?s:e[1]+s)))}function li(e,t){return(s,a,i,n,r)=>{let o,l,d,h,c,u,p=t.find(e=>r>=e[0])||t[t.length-1];return a.map(t=>{let s=e(t),a=s.getFullYear(),i=s.getMonth(),n=s.getDate(),r=s.getHours(),m=s.getMinutes(),g=s.getSeconds(),f=a!=o&&p[2]||i!=l&&p[3]||n!=d&&p[4]||r!=h&&p[5]||m!=c&&p[6]||g!=u&&p[7]||p[1];return o=a,l=i,d=n,h=r,c=m,u=g,f(s)})}}function di(e,t,s){return new Date(e,t,s)}function hi(e,t){return t(e)}function ci(e,t){return(s,a,i,n)=>null==n?es:t(e(a))}pa(2,-53,53,[1]);var ui={show:!0,live:!0,isolate:!1,mount:()=>{},markers:{show:!0,width:2,stroke:(e,t)=>{let s=e.series[t];return s.width?s.stroke(e,t):s.points.width?s.points.stroke(e,t):null},fill:(e,t)=>e.series[t].fill(e,t),dash:"solid"},idx:null,idxs:null,values:[]},pi=[0,0];function mi(e,t,s,a=!0){return e=>{0==e.button&&(!a||e.target==t)&&s(e)}}function gi(e,t,s,a=!0){return e=>{(!a||e.target==t)&&s(e)}}var fi={show:!0,x:!0,y:!0,lock:!1,move:(e,t,s)=>(pi[0]=t,pi[1]=s,pi),points:{one:!1,show:(e,t)=>{let s=e.cursor.points,a=ds(),i=s.size(e,t);os(a,jt,i),os(a,qt,i);let n=i/-2;os(a,"marginLeft",n),os(a,"marginTop",n);let r=s.width(e,t,i);return r&&os(a,"borderWidth",r),a},size:(e,t)=>e.series[t].points.size,width:0,stroke:(e,t)=>{let s=e.series[t].points;return s._stroke||s._fill},fill:(e,t)=>{let s=e.series[t].points;return s._fill||s._stroke}},bind:{mousedown:mi,mouseup:mi,click:mi,dblclick:mi,mousemove:gi,mouseleave:gi,mouseenter:gi},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,s,a,i)=>a-i,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},vi={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},yi=Sa({},vi,{filter:ta}),bi=Sa({},yi,{size:10}),wi=Sa({},vi,{show:!1}),$i='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',ki="bold "+$i,_i={show:!0,scale:"x",stroke:Bt,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:ki,side:2,grid:yi,ticks:bi,border:wi,font:$i,lineGap:1.5,rotate:0},xi={show:!0,scale:"x",auto:!1,sorted:1,min:Ks,max:-Ks,idxs:[]};function Si(e,t,s,a,i){return t.map(e=>null==e?"":Ns(e))}function Ti(e,t,s,a,i,n,r){let o=[],l=ca.get(i)||0;for(let e=s=r?s:ha(la(s,i),l);e<=a;e=ha(e+i,l))o.push(Object.is(e,-0)?0:e);return o}function zi(e,t,s,a,i,n,r){let o=[],l=e.scales[e.axes[t].scale].log,d=js((10==l?Ys:Hs)(s));i=Bs(l,d),10==l&&(i=Fa[ws(i,Fa)]);let h=s,c=i*l;10==l&&(c=Fa[ws(c,Fa)]);do{o.push(h),h+=i,10==l&&!ca.has(h)&&(h=ha(h,ca.get(i))),h>=c&&(c=(i=h)*l,10==l&&(c=Fa[ws(c,Fa)]))}while(h<=a);return o}function Ei(e,t,s,a,i,n,r){let o=e.scales[e.axes[t].scale].asinh,l=a>o?zi(e,t,Fs(o,s),a,i):[o],d=a>=0&&s<=0?[0]:[];return(s<-o?zi(e,t,Fs(o,-a),-s,i):[o]).reverse().map(e=>-e).concat(d,l)}var Ci=/./,Mi=/[12357]/,Ai=/[125]/,Di=/1/,Li=(e,t,s,a)=>e.map((e,i)=>4==t&&0==e||i%a==0&&s.test(e.toExponential()[e<0?1:0])?e:null);function Oi(e,t,s,a,i){let n=e.axes[s],r=n.scale,o=e.scales[r],l=e.valToPos,d=n._space,h=l(10,r),c=l(9,r)-h>=d?Ci:l(7,r)-h>=d?Mi:l(5,r)-h>=d?Ai:Di;if(c==Di){let e=Us(l(1,r)-h);if(e<d)return Li(t.slice().reverse(),o.distr,c,Is(d/e)).reverse()}return Li(t,o.distr,c,1)}function Ni(e,t,s,a,i){let n=e.axes[s],r=n.scale,o=n._space,l=e.valToPos,d=Us(l(1,r)-l(2,r));return d<o?Li(t.slice().reverse(),3,Ci,Is(o/d)).reverse():t}function Pi(e,t,s,a){return null==a?es:null==t?"":Ns(t)}var Ri={show:!0,scale:"y",stroke:Bt,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:ki,side:3,grid:yi,ticks:bi,border:wi,font:$i,lineGap:1.5,rotate:0},Ui={scale:null,auto:!0,sorted:0,min:Ks,max:-Ks},ji=(e,t,s,a,i)=>i,qi={show:!0,auto:!0,sorted:0,gaps:ji,alpha:1,facets:[Sa({},Ui,{scale:"x"}),Sa({},Ui,{scale:"y"})]},Ii={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:ji,alpha:1,points:{show:(e,t)=>{let{scale:s,idxs:a}=e.series[0],i=e._data[0],n=e.valToPos(i[a[0]],s,!0),r=e.valToPos(i[a[1]],s,!0),o=Us(r-n);return a[1]-a[0]<=o/(e.series[t].points.space*Nt)},filter:null},values:null,min:Ks,max:-Ks,idxs:[],path:null,clip:null};function Wi(e,t,s,a,i){return s/10}var Fi={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Bi=Sa({},Fi,{time:!1,ori:1}),Gi={};function Yi(e,t){let s=Gi[e];return s||(s={key:e,plots:[],sub(e){s.plots.push(e)},unsub(e){s.plots=s.plots.filter(t=>t!=e)},pub(e,t,a,i,n,r,o){for(let l=0;l<s.plots.length;l++)s.plots[l]!=t&&s.plots[l].pub(e,t,a,i,n,r,o)}},null!=e&&(Gi[e]=s)),s}function Hi(e,t,s){let a=e.mode,i=e.series[t],n=2==a?e._data[t]:e._data,r=e.scales,o=e.bbox,l=n[0],d=2==a?n[1]:n[t],h=2==a?r[i.facets[0].scale]:r[e.series[0].scale],c=2==a?r[i.facets[1].scale]:r[i.scale],u=o.left,p=o.top,m=o.width,g=o.height,f=e.valToPosH,v=e.valToPosV;return 0==h.ori?s(i,l,d,h,c,f,v,u,p,m,g,tn,an,rn,ln,hn):s(i,l,d,h,c,v,f,p,u,g,m,sn,nn,on,dn,cn)}function Vi(e,t){let s=0,a=0,i=Ds(e.bands,ga);for(let e=0;e<i.length;e++){let n=i[e];n.series[0]==t?s=n.dir:n.series[1]==t&&(a|=1==n.dir?1:2)}return[s,1==a?-1:2==a?1:3==a?2:0]}function Ki(e,t,s,a,i){let n=e.series[t],r=e.scales[2==e.mode?n.facets[1].scale:n.scale];return-1==i?r.min:1==i?r.max:3==r.distr?1==r.dir?r.min:r.max:0}function Zi(e,t,s,a,i,n){return Hi(e,t,(e,t,r,o,l,d,h,c,u,p,m)=>{let g,f,v=e.pxRound,y=0==o.ori?an:nn;1==o.dir*(0==o.ori?1:-1)?(g=s,f=a):(g=a,f=s);let b=v(d(t[g],o,p,c)),w=v(h(r[g],l,m,u)),$=v(d(t[f],o,p,c)),k=v(h(1==n?l.max:l.min,l,m,u)),_=new Path2D(i);return y(_,$,k),y(_,b,k),y(_,b,w),_})}function Ji(e,t,s,a,i,n){let r=null;if(e.length>0){r=new Path2D;let o=0==t?rn:on,l=s;for(let t=0;t<e.length;t++){let s=e[t];if(s[1]>s[0]){let e=s[0]-l;e>0&&o(r,l,a,e,a+n),l=s[1]}}let d=s+i-l,h=10;d>0&&o(r,l,a-h/2,d,a+n+h)}return r}function Xi(e,t,s,a,i,n,r){let o=[],l=e.length;for(let d=1==i?s:a;d>=s&&d<=a;d+=i)if(null===t[d]){let h=d,c=d;if(1==i)for(;++d<=a&&null===t[d];)c=d;else for(;--d>=s&&null===t[d];)c=d;let u=n(e[h]),p=c==h?u:n(e[c]),m=h-i;u=r<=0&&m>=0&&m<l?n(e[m]):u;let g=c+i;p=r>=0&&g>=0&&g<l?n(e[g]):p,p>=u&&o.push([u,p])}return o}function Qi(e){return 0==e?ea:1==e?qs:t=>oa(t,e)}function en(e){let t=0==e?tn:sn,s=0==e?(e,t,s,a,i,n)=>{e.arcTo(t,s,a,i,n)}:(e,t,s,a,i,n)=>{e.arcTo(s,t,i,a,n)},a=0==e?(e,t,s,a,i)=>{e.rect(t,s,a,i)}:(e,t,s,a,i)=>{e.rect(s,t,i,a)};return(e,i,n,r,o,l=0,d=0)=>{0==l&&0==d?a(e,i,n,r,o):(l=Ws(l,r/2,o/2),d=Ws(d,r/2,o/2),t(e,i+l,n),s(e,i+r,n,i+r,n+o,l),s(e,i+r,n+o,i,n+o,d),s(e,i,n+o,i,n,d),s(e,i,n,i+r,n,l),e.closePath())}}var tn=(e,t,s)=>{e.moveTo(t,s)},sn=(e,t,s)=>{e.moveTo(s,t)},an=(e,t,s)=>{e.lineTo(t,s)},nn=(e,t,s)=>{e.lineTo(s,t)},rn=en(0),on=en(1),ln=(e,t,s,a,i,n)=>{e.arc(t,s,a,i,n)},dn=(e,t,s,a,i,n)=>{e.arc(s,t,a,i,n)},hn=(e,t,s,a,i,n,r)=>{e.bezierCurveTo(t,s,a,i,n,r)},cn=(e,t,s,a,i,n,r)=>{e.bezierCurveTo(s,t,i,a,r,n)};function un(e){return(e,t,s,a,i)=>Hi(e,t,(t,n,r,o,l,d,h,c,u,p,m)=>{let g,f,{pxRound:v,points:y}=t;0==o.ori?(g=tn,f=ln):(g=sn,f=dn);let b=ha(y.width*Nt,3),w=(y.size-y.width)/2*Nt,$=ha(2*w,3),k=new Path2D,_=new Path2D,{left:x,top:S,width:T,height:z}=e.bbox;rn(_,x-$,S-$,T+2*$,z+2*$);let E=e=>{if(null!=r[e]){let t=v(d(n[e],o,p,c)),s=v(h(r[e],l,m,u));g(k,t+w,s),f(k,t,s,w,0,2*Rs)}};if(i)i.forEach(E);else for(let e=s;e<=a;e++)E(e);return{stroke:b>0?k:null,fill:k,clip:_,flags:3}})}function pn(e){return(t,s,a,i,n,r)=>{a!=i&&(n!=a&&r!=a&&e(t,s,a),n!=i&&r!=i&&e(t,s,i),e(t,s,r))}}var mn=pn(an),gn=pn(nn);function fn(e){let t=Ds(e?.alignGaps,0);return(e,s,a,i)=>Hi(e,s,(n,r,o,l,d,h,c,u,p,m,g)=>{[a,i]=xs(o,a,i);let f,v,y=n.pxRound,b=e=>y(h(e,l,m,u)),w=e=>y(c(e,d,g,p));0==l.ori?(f=an,v=mn):(f=nn,v=gn);let $=l.dir*(0==l.ori?1:-1),k={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},_=k.stroke,x=!1;if(i-a>=4*m){let t,s,n,d=t=>e.posToVal(t,l.key,!0),h=null,c=null,u=b(r[1==$?a:i]),p=b(r[a]),m=b(r[i]),g=d(1==$?p+1:m-1);for(let e=1==$?a:i;e>=a&&e<=i;e+=$){let a=r[e],i=(1==$?a<g:a>g)?u:b(a),n=o[e];i==u?null!=n?(s=n,null==h?(f(_,i,w(s)),t=h=c=s):s<h?h=s:s>c&&(c=s)):null===n&&(x=!0):(null!=h&&v(_,u,w(h),w(c),w(t),w(s)),null!=n?(s=n,f(_,i,w(s)),h=c=t=s):(h=c=null,null===n&&(x=!0)),u=i,g=d(u+$))}null!=h&&h!=c&&n!=u&&v(_,u,w(h),w(c),w(t),w(s))}else for(let e=1==$?a:i;e>=a&&e<=i;e+=$){let t=o[e];null===t?x=!0:null!=t&&f(_,b(r[e]),w(t))}let[S,T]=Vi(e,s);if(null!=n.fill||0!=S){let t=k.fill=new Path2D(_),o=w(n.fillTo(e,s,n.min,n.max,S)),l=b(r[a]),d=b(r[i]);-1==$&&([d,l]=[l,d]),f(t,d,o),f(t,l,o)}if(!n.spanGaps){let d=[];x&&d.push(...Xi(r,o,a,i,$,b,t)),k.gaps=d=n.gaps(e,s,a,i,d),k.clip=Ji(d,l.ori,u,p,m,g)}return 0!=T&&(k.band=2==T?[Zi(e,s,a,i,_,-1),Zi(e,s,a,i,_,1)]:Zi(e,s,a,i,_,T)),k})}function vn(e,t,s,a,i,n,r=Ks){if(e.length>1){let o=null;for(let l=0,d=1/0;l<e.length;l++)if(void 0!==t[l]){if(null!=o){let t=Us(e[l]-e[o]);t<d&&(d=t,r=Us(s(e[l],a,i,n)-s(e[o],a,i,n)))}o=l}}return r}function yn(e,t,s,a,i,n){let r=e.length;if(r<2)return null;let o=new Path2D;if(s(o,e[0],t[0]),2==r)a(o,e[1],t[1]);else{let s=Array(r),a=Array(r-1),n=Array(r-1),l=Array(r-1);for(let s=0;s<r-1;s++)n[s]=t[s+1]-t[s],l[s]=e[s+1]-e[s],a[s]=n[s]/l[s];s[0]=a[0];for(let e=1;e<r-1;e++)0===a[e]||0===a[e-1]||a[e-1]>0!=a[e]>0?s[e]=0:(s[e]=3*(l[e-1]+l[e])/((2*l[e]+l[e-1])/a[e-1]+(l[e]+2*l[e-1])/a[e]),isFinite(s[e])||(s[e]=0));s[r-1]=a[r-2];for(let a=0;a<r-1;a++)i(o,e[a]+l[a]/3,t[a]+s[a]*l[a]/3,e[a+1]-l[a]/3,t[a+1]-s[a+1]*l[a]/3,e[a+1],t[a+1])}return o}var bn=new Set;function wn(){for(let e of bn)e.syncRect(!0)}ts&&(ys("resize",as,wn),ys("scroll",as,wn,!0),ys(Qt,as,()=>{On.pxRatio=Nt}));var $n=fn(),kn=un();function _n(e,t,s,a){return(a?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((e,a)=>xn(e,a,t,s))}function xn(e,t,s,a){return Sa({},0==t?s:a,e)}function Sn(e,t,s){return null==t?fa:[t,s]}var Tn=Sn;function zn(e,t,s){return null==t?fa:As(t,s,.1,!0)}function En(e,t,s,a){return null==t?fa:Ts(t,s,e.scales[a].log,!1)}var Cn=En;function Mn(e,t,s,a){return null==t?fa:zs(t,s,e.scales[a].log,!1)}var An=Mn;function Dn(e){let t,s;return[e=e.replace(/(\d+)px/,(e,a)=>(t=qs((s=+a)*Nt))+"px"),t,s]}function Ln(e){e.show&&[e.font,e.labelFont].forEach(e=>{let t=ha(e[2]*Nt,1);e[0]=e[0].replace(/[0-9.]+px/,t+"px"),e[1]=t})}function On(e,t,s){let a={mode:Ds(e.mode,1)},i=a.mode;function n(e,t,s,a){let i=t.valToPct(e);return a+s*(-1==t.dir?1-i:i)}function r(e,t,s,a){let i=t.valToPct(e);return a+s*(-1==t.dir?i:1-i)}function o(e,t,s,a){return 0==t.ori?n(e,t,s,a):r(e,t,s,a)}a.valToPosH=n,a.valToPosV=r;let l=!1;a.status=0;let d=a.root=ds("uplot");null!=e.id&&(d.id=e.id),ns(d,e.class),e.title&&(ds("u-title",d).textContent=e.title);let h=ls("canvas"),c=a.ctx=h.getContext("2d"),u=ds("u-wrap",d);ys("click",u,e=>{e.target===m&&(Pt!=At||Bt!=Dt)&&ts.click(a,e)},!0);let p=a.under=ds("u-under",u);u.appendChild(h);let m=a.over=ds("u-over",u),g=+Ds((e=xa(e)).pxAlign,1),f=Qi(g);(e.plugins||[]).forEach(t=>{t.opts&&(e=t.opts(a,e)||e)});let v=e.ms||.001,y=a.series=1==i?_n(e.series||[],xi,Ii,!1):((e,t)=>e.map((e,s)=>0==s?{}:Sa({},t,e)))(e.series||[null],qi),b=a.axes=_n(e.axes||[],_i,Ri,!0),w=a.scales={},$=a.bands=e.bands||[];$.forEach(e=>{e.fill=Qs(e.fill||null),e.dir=Ds(e.dir,-1)});let k=2==i?y[1].facets[0].scale:y[0].scale,_={axes:()=>{for(let e=0;e<b.length;e++){let t=b[e];if(!t.show||!t._show)continue;let s,i,n=t.side,r=n%2,l=t.stroke(a,e),d=0==n||3==n?-1:1,[h,u]=t._found;if(null!=t.label){let o=qs((t._lpos+t.labelGap*d)*Nt);nt(t.labelFont[0],l,"center",2==n?"top":It),c.save(),1==r?(s=i=0,c.translate(o,qs(me+fe/2)),c.rotate((3==n?-Rs:Rs)/2)):(s=qs(pe+ge/2),i=o);let p=Xs(t.label)?t.label(a,e,h,u):t.label;c.fillText(p,s,i),c.restore()}if(0==u)continue;let p=w[t.scale],m=0==r?ge:fe,g=0==r?pe:me,v=t._splits,y=2==p.distr?v.map(e=>et[e]):v,$=2==p.distr?et[v[1]]-et[v[0]]:h,k=t.ticks,_=t.border,x=k.show?k.size:0,S=qs(x*Nt),T=qs((2==t.alignTo?t._size-x-t.gap:t.gap)*Nt),z=t._rotate*-Rs/180,E=f(t._pos*Nt),C=E+(S+T)*d;i=0==r?C:0,s=1==r?C:0,nt(t.font[0],l,1==t.align?Wt:2==t.align?Ft:z>0?Wt:z<0?Ft:0==r?"center":3==n?Ft:Wt,z||1==r?"middle":2==n?"top":It);let M=t.font[1]*t.lineGap,A=v.map(e=>f(o(e,p,m,g))),D=t._values;for(let e=0;e<D.length;e++){let t=D[e];if(null!=t){0==r?s=A[e]:i=A[e],t=""+t;let a=-1==t.indexOf("\n")?[t]:t.split(/\n/gm);for(let e=0;e<a.length;e++){let t=a[e];z?(c.save(),c.translate(s,i+e*M),c.rotate(z),c.fillText(t,0,0),c.restore()):c.fillText(t,s,i+e*M)}}}k.show&&mt(A,k.filter(a,y,e,u,$),r,n,E,S,ha(k.width*Nt,3),k.stroke(a,e),k.dash,k.cap);let L=t.grid;L.show&&mt(A,L.filter(a,y,e,u,$),r,0==r?2:1,0==r?me:pe,0==r?fe:ge,ha(L.width*Nt,3),L.stroke(a,e),L.dash,L.cap),_.show&&mt([E],[1],0==r?1:0,0==r?1:2,1==r?me:pe,1==r?fe:ge,ha(_.width*Nt,3),_.stroke(a,e),_.dash,_.cap)}ja("drawAxes")},series:()=>{if(Ue>0){let e=y.some(e=>e._focus)&&Ve!=Ee.alpha;e&&(c.globalAlpha=Ve=Ee.alpha),y.forEach((e,s)=>{if(s>0&&e.show&&(lt(s,!1),lt(s,!0),null==e._paths)){let n=Ve;Ve!=e.alpha&&(c.globalAlpha=Ve=e.alpha);let r=2==i?[0,t[s][0].length-1]:(e=>{let t=Js(Je-1,0,Ue-1),s=Js(Xe+1,0,Ue-1);for(;null==e[t]&&t>0;)t--;for(;null==e[s]&&s<Ue-1;)s++;return[t,s]})(t[s]);e._paths=e.paths(a,s,r[0],r[1]),Ve!=n&&(c.globalAlpha=Ve=n)}}),y.forEach((e,t)=>{if(t>0&&e.show){let s=Ve;Ve!=e.alpha&&(c.globalAlpha=Ve=e.alpha),null!=e._paths&&dt(t,!1);{let s=null!=e._paths?e._paths.gaps:null,i=e.points.show(a,t,Je,Xe,s),n=e.points.filter(a,t,i,s);(i||n)&&(e.points._paths=e.points.paths(a,t,Je,Xe,n),dt(t,!0))}Ve!=s&&(c.globalAlpha=Ve=s),ja("drawSeries",t)}}),e&&(c.globalAlpha=Ve=1)}}},x=(e.drawOrder||["axes","series"]).map(e=>_[e]);function S(e){let t=3==e.distr?t=>Ys(t>0?t:e.clamp(a,t,e.min,e.max,e.key)):4==e.distr?t=>Vs(t,e.asinh):100==e.distr?t=>e.fwd(t):e=>e;return s=>{let a=t(s),{_min:i,_max:n}=e;return(a-i)/(n-i)}}function T(t){let s=w[t];if(null==s){let a=(e.scales||ma)[t]||ma;if(null!=a.from){T(a.from);let e=Sa({},w[a.from],a,{key:t});e.valToPct=S(e),w[t]=e}else{s=w[t]=Sa({},t==k?Fi:Bi,a),s.key=t;let e=s.time,n=s.range,r=va(n);if((t!=k||2==i&&!e)&&(r&&(null==n[0]||null==n[1])&&(n={min:null==n[0]?Es:{mode:1,hard:n[0],soft:n[0]},max:null==n[1]?Es:{mode:1,hard:n[1],soft:n[1]}},r=!1),!r&&wa(n))){let e=n;n=(t,s,a)=>null==s?fa:As(s,a,e)}s.range=Qs(n||(e?Tn:t==k?3==s.distr?Cn:4==s.distr?An:Sn:3==s.distr?En:4==s.distr?Mn:zn)),s.auto=Qs(!r&&s.auto),s.clamp=Qs(s.clamp||Wi),s._min=s._max=null,s.valToPct=S(s)}}}T("x"),T("y"),1==i&&y.forEach(e=>{T(e.scale)}),b.forEach(e=>{T(e.scale)});for(let t in e.scales)T(t);let z,E,C=w[k],M=C.distr;0==C.ori?(ns(d,"u-hz"),z=n,E=r):(ns(d,"u-vt"),z=r,E=n);let A={};for(let e in w){let t=w[e];(null!=t.min||null!=t.max)&&(A[e]={min:t.min,max:t.max},t.min=t.max=null)}let D=e.tzDate||(e=>new Date(qs(e/v))),L=e.fmtDate||Pa,O=1==v?ai(D):ri(D),N=li(D,oi(1==v?si:ni,L)),P=ci(D,hi("{YYYY}-{MM}-{DD} {h}:{mm}{aa}",L)),R=[],U=a.legend=Sa({},ui,e.legend),j=a.cursor=Sa({},fi,{drag:{y:2==i}},e.cursor),q=U.show,I=j.show,W=U.markers;U.idxs=R,W.width=Qs(W.width),W.dash=Qs(W.dash),W.stroke=Qs(W.stroke),W.fill=Qs(W.fill);let F,B,G,Y,H=[],V=[],K=!1,Z={};if(U.live){let e=y[1]?y[1].values:null;K=null!=e,Y=K?e(a,1,0):{_:0};for(let e in Y)Z[e]=es}if(q)if(F=ls("table","u-legend",d),G=ls("tbody",null,F),U.mount(a,F),K){B=ls("thead",null,F,G);let e=ls("tr",null,B);for(var J in ls("th",null,e),Y)ls("th",Ut,e).textContent=J}else ns(F,"u-inline"),U.live&&ns(F,"u-live");let X={show:!0},Q={show:!1},ee=new Map;function te(e,t,s,i=!0){let n=ee.get(t)||{},r=j.bind[e](a,t,s,i);r&&(ys(e,t,n[e]=r),ee.set(t,n))}function se(e,t,s){let a=ee.get(t)||{};for(let s in a)(null==e||s==e)&&(bs(s,t,a[s]),delete a[s]);null==e&&ee.delete(t)}let ae=0,ie=0,ne=0,re=0,oe=0,le=0,de=oe,he=le,ce=ne,ue=re,pe=0,me=0,ge=0,fe=0;a.bbox={};let ve=!1,ye=!1,be=!1,we=!1,$e=!1,ke=!1;function _e(e,t,s){(s||e!=a.width||t!=a.height)&&xe(e,t),vt(!1),be=!0,ye=!0,kt()}function xe(e,t){a.width=ae=ne=e,a.height=ie=re=t,oe=le=0,(()=>{let e=!1,t=!1,s=!1,a=!1;b.forEach((i,n)=>{if(i.show&&i._show){let{side:n,_size:r}=i,o=r+(null!=i.label?i.labelSize:0);o>0&&(n%2?(ne-=o,3==n?(oe+=o,a=!0):s=!0):(re-=o,0==n?(le+=o,e=!0):t=!0))}}),Pe[0]=e,Pe[1]=s,Pe[2]=t,Pe[3]=a,ne-=Ze[1]+Ze[3],oe+=Ze[3],re-=Ze[2]+Ze[0],le+=Ze[0]})(),(()=>{let e=oe+ne,t=le+re,s=oe,a=le;function i(i,n){switch(i){case 1:return e+=n,e-n;case 2:return t+=n,t-n;case 3:return s-=n,s+n;case 0:return a-=n,a+n}}b.forEach((e,t)=>{if(e.show&&e._show){let t=e.side;e._pos=i(t,e._size),null!=e.label&&(e._lpos=i(t,e.labelSize))}})})();let s=a.bbox;pe=s.left=oa(oe*Nt,.5),me=s.top=oa(le*Nt,.5),ge=s.width=oa(ne*Nt,.5),fe=s.height=oa(re*Nt,.5)}let Se=3;if(a.setSize=({width:e,height:t})=>{_e(e,t)},null==j.dataIdx){let e=j.hover,s=e.skip=new Set(e.skip??[]);s.add(void 0);let a=e.prox=Qs(e.prox),i=e.bias??=0;j.dataIdx=(e,n,r,o)=>{if(0==n)return r;let l=r,d=a(e,n,r,o)??Ks,h=d>=0&&d<Ks,c=0==C.ori?ne:re,u=j.left,p=t[0],m=t[n];if(s.has(m[r])){l=null;let e,t=null,a=null;if(0==i||-1==i)for(e=r;null==t&&e-- >0;)s.has(m[e])||(t=e);if(0==i||1==i)for(e=r;null==a&&e++<m.length;)s.has(m[e])||(a=e);if(null!=t||null!=a)if(h){let e=u-(null==t?-1/0:z(p[t],C,c,0)),s=(null==a?1/0:z(p[a],C,c,0))-u;e<=s?e<=d&&(l=t):s<=d&&(l=a)}else l=null==a?t:null==t?a:r-t<=a-r?t:a}else h&&Us(u-z(p[r],C,c,0))>d&&(l=null);return l}}let Te=e=>{j.event=e};j.idxs=R,j._lock=!1;let ze=j.points;ze.show=Qs(ze.show),ze.size=Qs(ze.size),ze.stroke=Qs(ze.stroke),ze.width=Qs(ze.width),ze.fill=Qs(ze.fill);let Ee=a.focus=Sa({},e.focus||{alpha:.3},j.focus),Ce=Ee.prox>=0,Me=Ce&&ze.one,Ae=[],De=[],Le=[];function Oe(e,t){let s=ze.show(a,t);if(s instanceof HTMLElement)return ns(s,"u-cursor-pt"),ns(s,e.class),cs(s,-10,-10,ne,re),m.insertBefore(s,Ae[t]),s}function Ne(e,t){if(1==i||t>0){let t=1==i&&w[e.scale].time,s=e.value;e.value=t?ba(s)?ci(D,hi(s,L)):s||P:s||Pi,e.label=e.label||(t?"Time":"Value")}if(Me||t>0){e.width=e.width??1,e.paths=e.paths||$n||sa,e.fillTo=Qs(e.fillTo||Ki),e.pxAlign=+Ds(e.pxAlign,g),e.pxRound=Qi(e.pxAlign),e.stroke=Qs(e.stroke||null),e.fill=Qs(e.fill||null),e._stroke=e._fill=e._paths=e._focus=null;let t=(e=>ha(1*(3+2*(e||1)),3))(Fs(1,e.width)),s=e.points=Sa({},{size:t,width:Fs(1,.2*t),stroke:e.stroke,space:2*t,paths:kn,_stroke:null,_fill:null},e.points);s.show=Qs(s.show),s.filter=Qs(s.filter),s.fill=Qs(s.fill),s.stroke=Qs(s.stroke),s.paths=Qs(s.paths),s.pxAlign=e.pxAlign}if(q){let s=((e,t)=>{if(0==t&&(K||!U.live||2==i))return fa;let s=[],n=ls("tr","u-series",G,G.childNodes[t]);ns(n,e.class),e.show||ns(n,Rt);let r=ls("th",null,n);if(W.show){let e=ds("u-marker",r);if(t>0){let s=W.width(a,t);s&&(e.style.border=s+"px "+W.dash(a,t)+" "+W.stroke(a,t)),e.style.background=W.fill(a,t)}}let o=ds(Ut,r);for(var l in e.label instanceof HTMLElement?o.appendChild(e.label):o.textContent=e.label,t>0&&(W.show||(o.style.color=e.width>0?W.stroke(a,t):W.fill(a,t)),te("click",r,t=>{if(j._lock)return;Te(t);let s=y.indexOf(e);if((t.ctrlKey||t.metaKey)!=U.isolate){let e=y.some((e,t)=>t>0&&t!=s&&e.show);y.forEach((t,a)=>{a>0&&$s(a,e?a==s?X:Q:X,!0,Ia.setSeries)})}else $s(s,{show:!e.show},!0,Ia.setSeries)},!1),Ce&&te(Kt,r,t=>{j._lock||(Te(t),$s(y.indexOf(e),Os,!0,Ia.setSeries))},!1)),Y){let e=ls("td","u-value",n);e.textContent="--",s.push(e)}return[n,s]})(e,t);H.splice(t,0,s[0]),V.splice(t,0,s[1]),U.values.push(null)}if(I){R.splice(t,0,null);let s=null;Me?0==t&&(s=Oe(e,t)):t>0&&(s=Oe(e,t)),Ae.splice(t,0,s),De.splice(t,0,0),Le.splice(t,0,0)}ja("addSeries",t)}a.addSeries=(e,t)=>{t=t??y.length,e=1==i?xn(e,t,xi,Ii):xn(e,t,{},qi),y.splice(t,0,e),Ne(y[t],t)},a.delSeries=e=>{if(y.splice(e,1),q){U.values.splice(e,1),V.splice(e,1);let t=H.splice(e,1)[0];se(null,t.firstChild),t.remove()}I&&(R.splice(e,1),Ae.splice(e,1)[0].remove(),De.splice(e,1),Le.splice(e,1)),ja("delSeries",e)};let Pe=[!1,!1,!1,!1];function Re(e,t,s,a){let[i,n,r,o]=s,l=t%2,d=0;return 0==l&&(o||n)&&(d=0==t&&!i||2==t&&!r?qs(_i.size/3):0),1==l&&(i||r)&&(d=1==t&&!n||3==t&&!o?qs(Ri.size/2):0),d}let Ue,je,qe,Ie,We,Fe,Be,Ge,Ye,He,Ve,Ke=a.padding=(e.padding||[Re,Re,Re,Re]).map(e=>Qs(Ds(e,Re))),Ze=a._padding=Ke.map((e,t)=>e(a,t,Pe,0)),Je=null,Xe=null,Qe=1==i?y[0].idxs:null,et=null,tt=!1;function st(e,s){if(a.data=a._data=t=e??[],2==i){Ue=0;for(let e=1;e<y.length;e++)Ue+=t[e][0].length}else{0==t.length&&(a.data=a._data=t=[[]]),et=t[0],Ue=et.length;let e=t;if(2==M){e=t.slice();let s=e[0]=Array(Ue);for(let e=0;e<Ue;e++)s[e]=e}a._data=t=e}if(vt(!0),ja("setData"),2==M&&(be=!0),!1!==s){let e=C;e.auto(a,tt)?at():vs(k,e.min,e.max),we=we||j.left>=0,ke=!0,kt()}}function at(){let e,s;tt=!0,1==i&&(Ue>0?(Je=Qe[0]=0,Xe=Qe[1]=Ue-1,e=t[0][Je],s=t[0][Xe],2==M?(e=Je,s=Xe):e==s&&(3==M?[e,s]=Ts(e,e,C.log,!1):4==M?[e,s]=zs(e,e,C.log,!1):C.time?s=e+qs(86400/v):[e,s]=As(e,s,.1,!0))):(Je=Qe[0]=e=null,Xe=Qe[1]=s=null)),vs(k,e,s)}function it(e,t,s,a,i,n){e??=Gt,s??=ga,a??="butt",i??=Gt,n??="round",e!=je&&(c.strokeStyle=je=e),i!=qe&&(c.fillStyle=qe=i),t!=Ie&&(c.lineWidth=Ie=t),n!=Fe&&(c.lineJoin=Fe=n),a!=Be&&(c.lineCap=Be=a),s!=We&&c.setLineDash(We=s)}function nt(e,t,s,a){t!=qe&&(c.fillStyle=qe=t),e!=Ge&&(c.font=Ge=e),s!=Ye&&(c.textAlign=Ye=s),a!=He&&(c.textBaseline=He=a)}function rt(e,t,s,i,n=0){if(i.length>0&&e.auto(a,tt)&&(null==t||null==t.min)){let t=Ds(Je,0),a=Ds(Xe,i.length-1),r=null==s.min?((e,t,s,a=0,i=!1)=>{let n=i?Ss:xs,r=i?_s:ks;[t,s]=n(e,t,s);let o=e[t],l=e[t];if(t>-1)if(1==a)o=e[t],l=e[s];else if(-1==a)o=e[s],l=e[t];else for(let a=t;a<=s;a++){let t=e[a];r(t)&&(t<o?o=t:t>l&&(l=t))}return[o??Ks,l??-Ks]})(i,t,a,n,3==e.distr):[s.min,s.max];e.min=Ws(e.min,s.min=r[0]),e.max=Fs(e.max,s.max=r[1])}}a.setData=st;let ot={min:null,max:null};function lt(e,t){let s=t?y[e].points:y[e];s._stroke=s.stroke(a,e),s._fill=s.fill(a,e)}function dt(e,s){let i=s?y[e].points:y[e],{stroke:n,fill:r,clip:o,flags:l,_stroke:d=i._stroke,_fill:h=i._fill,_width:u=i.width}=i._paths;u=ha(u*Nt,3);let p=null,m=u%2/2;s&&null==h&&(h=u>0?"#fff":d);let g=1==i.pxAlign&&m>0;if(g&&c.translate(m,m),!s){let e=pe-u/2,t=me-u/2,s=ge+u,a=fe+u;p=new Path2D,p.rect(e,t,s,a)}s?ct(d,u,i.dash,i.cap,h,n,r,l,o):((e,s,i,n,r,o,l,d,h,c,u)=>{let p=!1;0!=h&&$.forEach((m,g)=>{if(m.series[0]==e){let e=y[m.series[1]],f=t[m.series[1]],v=(e._paths||ma).band;va(v)&&(v=1==m.dir?v[0]:v[1]);let b,w=null;e.show&&v&&((e,t,s)=>{for(t=Ds(t,0),s=Ds(s,e.length-1);t<=s;){if(null!=e[t])return!0;t++}return!1})(f,Je,Xe)?(w=m.fill(a,g)||o,b=e._paths.clip):v=null,ct(s,i,n,r,w,l,d,h,c,u,b,v),p=!0}}),p||ct(s,i,n,r,o,l,d,h,c,u)})(e,d,u,i.dash,i.cap,h,n,r,l,p,o),g&&c.translate(-m,-m)}let ht=3;function ct(e,t,s,a,i,n,r,o,l,d,h,u){it(e,t,s,a,i),(l||d||u)&&(c.save(),l&&c.clip(l),d&&c.clip(d)),u?(o&ht)==ht?(c.clip(u),h&&c.clip(h),pt(i,r),ut(e,n,t)):2&o?(pt(i,r),c.clip(u),ut(e,n,t)):1&o&&(c.save(),c.clip(u),h&&c.clip(h),pt(i,r),c.restore(),ut(e,n,t)):(pt(i,r),ut(e,n,t)),(l||d||u)&&c.restore()}function ut(e,t,s){s>0&&(t instanceof Map?t.forEach((e,t)=>{c.strokeStyle=je=t,c.stroke(e)}):null!=t&&e&&c.stroke(t))}function pt(e,t){t instanceof Map?t.forEach((e,t)=>{c.fillStyle=qe=t,c.fill(e)}):null!=t&&e&&c.fill(t)}function mt(e,t,s,a,i,n,r,o,l,d){let h=r%2/2;1==g&&c.translate(h,h),it(o,r,l,d,o),c.beginPath();let u,p,m,f,v=i+(0==a||3==a?-n:n);0==s?(p=i,f=v):(u=i,m=v);for(let a=0;a<e.length;a++)null!=t[a]&&(0==s?u=m=e[a]:p=f=e[a],c.moveTo(u,p),c.lineTo(m,f));c.stroke(),1==g&&c.translate(-h,-h)}function gt(e){let t=!0;return b.forEach((s,i)=>{if(!s.show)return;let n=w[s.scale];if(null==n.min)return void(s._show&&(t=!1,s._show=!1,vt(!1)));s._show||(t=!1,s._show=!0,vt(!1));let r=s.side,o=r%2,{min:l,max:d}=n,[h,c]=((e,t,s,i)=>{let n,r=b[e];if(i<=0)n=[0,0];else{let o=r._space=r.space(a,e,t,s,i);n=((e,t,s,a,i)=>{let n=Fs(Zs(e),Zs(t)),r=t-e,o=ws(i/a*r,s);do{let e=s[o],t=a*e/r;if(t>=i&&n+(e<5?ca.get(e):0)<=17)return[e,t]}while(++o<s.length);return[0,0]})(t,s,r._incrs=r.incrs(a,e,t,s,i,o),i,o)}return r._found=n})(i,l,d,0==o?ne:re);if(0==c)return;let u=s._splits=s.splits(a,i,l,d,h,c,2==n.distr),p=2==n.distr?u.map(e=>et[e]):u,m=2==n.distr?et[u[1]]-et[u[0]]:h,g=s._values=s.values(a,s.filter(a,p,i,c,m),i,c,m);s._rotate=2==r?s.rotate(a,g,i,c):0;let f=s._size;s._size=Is(s.size(a,g,i,e)),null!=f&&s._size!=f&&(t=!1)}),t}function ft(e){let t=!0;return Ke.forEach((s,i)=>{let n=s(a,i,Pe,e);n!=Ze[i]&&(t=!1),Ze[i]=n}),t}function vt(e){y.forEach((t,s)=>{s>0&&(t._paths=null,e&&(1==i?(t.min=null,t.max=null):t.facets.forEach(e=>{e.min=null,e.max=null})))})}let yt=!1,bt=!1,wt=[];function $t(){bt=!1;for(let e=0;e<wt.length;e++)ja(...wt[e]);wt.length=0}function kt(){yt||(za(_t),yt=!0)}function _t(){if(ve&&((()=>{for(let e in w){let t=w[e];null==A[e]&&(null==t.min||null!=A[k]&&t.auto(a,tt))&&(A[e]=ot)}for(let e in w){let t=w[e];null==A[e]&&null!=t.from&&null!=A[t.from]&&(A[e]=ot)}null!=A[k]&&vt(!0);let e={};for(let t in A){let s=A[t];if(null!=s){let n=e[t]=xa(w[t],$a);if(null!=s.min)Sa(n,s);else if(t!=k||2==i)if(0==Ue&&null==n.from){let e=n.range(a,null,null,t);n.min=e[0],n.max=e[1]}else n.min=Ks,n.max=-Ks}}if(Ue>0){y.forEach((s,n)=>{if(1==i){let i=s.scale,r=A[i];if(null==r)return;let o=e[i];if(0==n){let e=o.range(a,o.min,o.max,i);o.min=e[0],o.max=e[1],Je=ws(o.min,t[0]),Xe=ws(o.max,t[0]),Xe-Je>1&&(t[0][Je]<o.min&&Je++,t[0][Xe]>o.max&&Xe--),s.min=et[Je],s.max=et[Xe]}else s.show&&s.auto&&rt(o,r,s,t[n],s.sorted);s.idxs[0]=Je,s.idxs[1]=Xe}else if(n>0&&s.show&&s.auto){let[a,i]=s.facets,r=a.scale,o=i.scale,[l,d]=t[n],h=e[r],c=e[o];null!=h&&rt(h,A[r],a,l,a.sorted),null!=c&&rt(c,A[o],i,d,i.sorted),s.min=i.min,s.max=i.max}});for(let t in e){let s=e[t],i=A[t];if(null==s.from&&(null==i||null==i.min)){let e=s.range(a,s.min==Ks?null:s.min,s.max==-Ks?null:s.max,t);s.min=e[0],s.max=e[1]}}}for(let t in e){let s=e[t];if(null!=s.from){let i=e[s.from];if(null==i.min)s.min=s.max=null;else{let e=s.range(a,i.min,i.max,t);s.min=e[0],s.max=e[1]}}}let s={},n=!1;for(let t in e){let a=e[t],i=w[t];if(i.min!=a.min||i.max!=a.max){i.min=a.min,i.max=a.max;let e=i.distr;i._min=3==e?Ys(i.min):4==e?Vs(i.min,i.asinh):100==e?i.fwd(i.min):i.min,i._max=3==e?Ys(i.max):4==e?Vs(i.max,i.asinh):100==e?i.fwd(i.max):i.max,s[t]=n=!0}}if(n){y.forEach((e,t)=>{2==i?t>0&&s.y&&(e._paths=null):s[e.scale]&&(e._paths=null)});for(let e in s)be=!0,ja("setScale",e);I&&j.left>=0&&(we=ke=!0)}for(let e in A)A[e]=null})(),ve=!1),be&&((()=>{let e=!1,t=0;for(;!e;){t++;let s=gt(t),i=ft(t);e=t==Se||s&&i,e||(xe(a.width,a.height),ye=!0)}})(),be=!1),ye){if(os(p,Wt,oe),os(p,"top",le),os(p,jt,ne),os(p,qt,re),os(m,Wt,oe),os(m,"top",le),os(m,jt,ne),os(m,qt,re),os(u,jt,ae),os(u,qt,ie),h.width=qs(ae*Nt),h.height=qs(ie*Nt),b.forEach(({_el:e,_show:t,_size:s,_pos:a,side:i})=>{if(null!=e)if(t){let t=i%2==1;os(e,t?"left":"top",a-(3===i||0===i?s:0)),os(e,t?"width":"height",s),os(e,t?"top":"left",t?le:oe),os(e,t?"height":"width",t?re:ne),rs(e,Rt)}else ns(e,Rt)}),je=qe=Ie=Fe=Be=Ge=Ye=He=We=null,Ve=1,pa(!0),oe!=de||le!=he||ne!=ce||re!=ue){vt(!1);let e=ne/ce,t=re/ue;if(I&&!we&&j.left>=0){j.left*=e,j.top*=t,zt&&cs(zt,qs(j.left),0,ne,re),Et&&cs(Et,0,qs(j.top),ne,re);for(let s=0;s<Ae.length;s++){let a=Ae[s];null!=a&&(De[s]*=e,Le[s]*=t,cs(a,Is(De[s]),Is(Le[s]),ne,re))}}if(us.show&&!$e&&us.left>=0&&us.width>0){us.left*=e,us.width*=e,us.top*=t,us.height*=t;for(let e in Ma)os(ms,e,us[e])}de=oe,he=le,ce=ne,ue=re}ja("setSize"),ye=!1}ae>0&&ie>0&&(c.clearRect(0,0,h.width,h.height),ja("drawClear"),x.forEach(e=>e()),ja("draw")),us.show&&$e&&(fs(us),$e=!1),I&&we&&(la(null,!0,!1),we=!1),U.show&&U.live&&ke&&(na(),ke=!1),l||(l=!0,a.status=1,ja("ready")),tt=!1,yt=!1}function xt(e,s){let i=w[e];if(null==i.from){if(0==Ue){let t=i.range(a,s.min,s.max,e);s.min=t[0],s.max=t[1]}if(s.min>s.max){let e=s.min;s.min=s.max,s.max=e}if(Ue>1&&null!=s.min&&null!=s.max&&s.max-s.min<1e-16)return;e==k&&2==i.distr&&Ue>0&&(s.min=ws(s.min,t[0]),s.max=ws(s.max,t[0]),s.min==s.max&&s.max++),A[e]=s,ve=!0,kt()}}a.batch=(e,t=!1)=>{yt=!0,bt=t,e(a),_t(),t&&wt.length>0&&queueMicrotask($t)},a.redraw=(e,t)=>{be=t||!1,!1!==e?vs(k,C.min,C.max):kt()},a.setScale=xt;let St,Tt,zt,Et,Ct,Mt,At,Dt,Lt,Ot,Pt,Bt,Xt=!1,ts=j.drag,is=ts.x,hs=ts.y;I&&(j.x&&(St=ds("u-cursor-x",m)),j.y&&(Tt=ds("u-cursor-y",m)),0==C.ori?(zt=St,Et=Tt):(zt=Tt,Et=St),Pt=j.left,Bt=j.top);let us=a.select=Sa({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),ms=us.show?ds("u-select",us.over?m:p):null;function fs(e,t){if(us.show){for(let t in e)us[t]=e[t],t in Ma&&os(ms,t,e[t]);!1!==t&&ja("setSelect")}}function vs(e,t,s){xt(e,{min:t,max:s})}function $s(e,t,s,n){null!=t.focus&&(e=>{if(e!=Ls){let t=null==e,s=1!=Ee.alpha;y.forEach((a,n)=>{if(1==i||n>0){let i=t||0==n||n==e;a._focus=t?null:i,s&&((e,t)=>{y[e].alpha=t,I&&null!=Ae[e]&&(Ae[e].style.opacity=t),q&&H[e]&&(H[e].style.opacity=t)})(n,i?1:Ee.alpha)}}),Ls=e,s&&kt()}})(e),null!=t.show&&y.forEach((s,a)=>{a>0&&(e==a||null==e)&&(s.show=t.show,(e=>{if(y[e].show)q&&rs(H[e],Rt);else if(q&&ns(H[e],Rt),I){let t=Me?Ae[0]:Ae[e];null!=t&&cs(t,-10,-10,ne,re)}})(a),2==i?(vs(s.facets[0].scale,null,null),vs(s.facets[1].scale,null,null)):vs(s.scale,null,null),kt())}),!1!==s&&ja("setSeries",e,t),n&&Ya("setSeries",a,e,t)}a.setSelect=fs,a.setSeries=$s,a.addBand=(e,t)=>{e.fill=Qs(e.fill||null),e.dir=Ds(e.dir,-1),$.splice(t=t??$.length,0,e)},a.setBand=(e,t)=>{Sa($[e],t)},a.delBand=e=>{null==e?$.length=0:$.splice(e,1)};let Cs,Ms,Ls,Os={focus:!0};function Ns(e,t,s){let a=w[t];s&&(e=e/Nt-(1==a.ori?le:oe));let i=ne;1==a.ori&&(i=re,e=i-e),-1==a.dir&&(e=i-e);let n=a._min,r=n+e/i*(a._max-n),o=a.distr;return 3==o?Bs(10,r):4==o?((e,t=1)=>Ps.sinh(e)*t)(r,a.asinh):100==o?a.bwd(r):r}function js(e,t){os(ms,Wt,us.left=e),os(ms,jt,us.width=t)}function Gs(e,t){os(ms,"top",us.top=e),os(ms,qt,us.height=t)}q&&Ce&&te(Zt,F,e=>{j._lock||(Te(e),null!=Ls&&$s(null,Os,!0,Ia.setSeries))}),a.valToIdx=e=>ws(e,t[0]),a.posToIdx=(e,s)=>ws(Ns(e,k,s),t[0],Je,Xe),a.posToVal=Ns,a.valToPos=(e,t,s)=>0==w[t].ori?n(e,w[t],s?ge:ne,s?pe:0):r(e,w[t],s?fe:re,s?me:0),a.setCursor=(e,t,s)=>{Pt=e.left,Bt=e.top,la(null,t,s)};let Hs=0==C.ori?js:Gs,ea=1==C.ori?js:Gs;function na(e,t){if(null!=e&&(e.idxs?e.idxs.forEach((e,t)=>{R[t]=e}):(e=>void 0===e)(e.idx)||R.fill(e.idx),U.idx=R[0]),q&&U.live){for(let e=0;e<y.length;e++)(e>0||1==i&&!K)&&ra(e,R[e]);(()=>{if(q&&U.live)for(let e=2==i?1:0;e<y.length;e++){if(0==e&&K)continue;let t=U.values[e],s=0;for(let a in t)V[e][s++].firstChild.nodeValue=t[a]}})()}ke=!1,!1!==t&&ja("setLegend")}function ra(e,s){let i,n=y[e],r=0==e&&2==M?et:t[e];K?i=n.values(a,e,s)??Z:(i=n.value(a,null==s?null:r[s],e,s),i=null==i?Z:{_:i}),U.values[e]=i}function la(e,s,n){let r;Lt=Pt,Ot=Bt,[Pt,Bt]=j.move(a,Pt,Bt),j.left=Pt,j.top=Bt,I&&(zt&&cs(zt,qs(Pt),0,ne,re),Et&&cs(Et,0,qs(Bt),ne,re)),Cs=Ks,Ms=null;let o=0==C.ori?ne:re,l=1==C.ori?ne:re;if(Pt<0||0==Ue||Je>Xe){r=j.idx=null;for(let e=0;e<y.length;e++){let t=Ae[e];null!=t&&cs(t,-10,-10,ne,re)}Ce&&$s(null,Os,!0,null==e&&Ia.setSeries),U.live&&(R.fill(r),ke=!0)}else{let e,s,n;1==i&&(e=0==C.ori?Pt:Bt,s=Ns(e,k),r=j.idx=ws(s,t[0],Je,Xe),n=z(t[0][r],C,o,0));let d=-10,h=-10,c=0,u=0,p=!0,m="",g="";for(let e=2==i?1:0;e<y.length;e++){let f=y[e],v=R[e],b=null==v?null:1==i?t[e][v]:t[e][1][v],$=j.dataIdx(a,e,r,s),k=null==$?null:1==i?t[e][$]:t[e][1][$];if(ke=ke||k!=b||$!=v,R[e]=$,e>0&&f.show){let s=null==$?-10:$==r?n:z(1==i?t[0][$]:t[e][0][$],C,o,0),v=null==k?-10:E(k,1==i?w[f.scale]:w[f.facets[1].scale],l,0);if(Ce&&null!=k){let t=1==C.ori?Pt:Bt,s=Us(Ee.dist(a,e,$,v,t));if(s<Cs){let a=Ee.bias;if(0!=a){let i=Ns(t,f.scale),n=i>=0?1:-1;n==(k>=0?1:-1)&&(1==n?1==a?k>=i:k<=i:1==a?k<=i:k>=i)&&(Cs=s,Ms=e)}else Cs=s,Ms=e}}if(ke||Me){let t,i;0==C.ori?(t=s,i=v):(t=v,i=s);let n,r,o,l,f,y,b=!0,w=ze.bbox;if(null!=w){b=!1;let t=w(a,e);o=t.left,l=t.top,n=t.width,r=t.height}else o=t,l=i,n=r=ze.size(a,e);if(y=ze.fill(a,e),f=ze.stroke(a,e),Me)e==Ms&&Cs<=Ee.prox&&(d=o,h=l,c=n,u=r,p=b,m=y,g=f);else{let t=Ae[e];null!=t&&(De[e]=o,Le[e]=l,gs(t,n,r,b),ps(t,y,f),cs(t,Is(o),Is(l),ne,re))}}}}if(Me){let e=Ee.prox;if(ke||(null==Ls?Cs<=e:Cs>e||Ms!=Ls)){let e=Ae[0];null!=e&&(De[0]=d,Le[0]=h,gs(e,c,u,p),ps(e,m,g),cs(e,Is(d),Is(h),ne,re))}}}if(us.show&&Xt)if(null!=e){let[t,s]=Ia.scales,[a,i]=Ia.match,[n,r]=e.cursor.sync.scales,d=e.cursor.drag;if(is=d._x,hs=d._y,is||hs){let d,h,c,u,p,{left:m,top:g,width:f,height:v}=e.select,y=e.scales[n].ori,b=e.posToVal,$=null!=t&&a(t,n),k=null!=s&&i(s,r);$&&is?(0==y?(d=m,h=f):(d=g,h=v),c=w[t],u=z(b(d,n),c,o,0),p=z(b(d+h,n),c,o,0),Hs(Ws(u,p),Us(p-u))):Hs(0,o),k&&hs?(1==y?(d=m,h=f):(d=g,h=v),c=w[s],u=E(b(d,r),c,l,0),p=E(b(d+h,r),c,l,0),ea(Ws(u,p),Us(p-u))):ea(0,l)}else Aa()}else{let e=Us(Lt-Ct),t=Us(Ot-Mt);if(1==C.ori){let s=e;e=t,t=s}is=ts.x&&e>=ts.dist,hs=ts.y&&t>=ts.dist;let s,a,i=ts.uni;null!=i?is&&hs&&(is=e>=i,hs=t>=i,!is&&!hs&&(t>e?hs=!0:is=!0)):ts.x&&ts.y&&(is||hs)&&(is=hs=!0),is&&(0==C.ori?(s=At,a=Pt):(s=Dt,a=Bt),Hs(Ws(s,a),Us(a-s)),hs||ea(0,l)),hs&&(1==C.ori?(s=At,a=Pt):(s=Dt,a=Bt),ea(Ws(s,a),Us(a-s)),is||Hs(0,o)),!is&&!hs&&(Hs(0,0),ea(0,0))}if(ts._x=is,ts._y=hs,null==e){if(n){if(null!=Ba){let[e,t]=Ia.scales;Ia.values[0]=null!=e?Ns(0==C.ori?Pt:Bt,e):null,Ia.values[1]=null!=t?Ns(1==C.ori?Pt:Bt,t):null}Ya(Yt,a,Pt,Bt,ne,re,r)}if(Ce){let e=n&&Ia.setSeries,t=Ee.prox;null==Ls?Cs<=t&&$s(Ms,Os,!0,e):Cs>t?$s(null,Os,!0,e):Ms!=Ls&&$s(Ms,Os,!0,e)}}ke&&(U.idx=r,na()),!1!==s&&ja("setCursor")}a.setLegend=na;let da=null;function pa(e=!1){e?da=null:(da=m.getBoundingClientRect(),ja("syncRect",da))}function ya(e,t,s,a,i,n,r){j._lock||Xt&&null!=e&&0==e.movementX&&0==e.movementY||(ka(e,t,s,a,i,n,0,!1,null!=e),null!=e?la(null,!0,!0):la(t,!0,!1))}function ka(e,t,s,i,n,r,l,d,h){if(null==da&&pa(!1),Te(e),null!=e)s=e.clientX-da.left,i=e.clientY-da.top;else{if(s<0||i<0)return Pt=-10,void(Bt=-10);let[e,a]=Ia.scales,l=t.cursor.sync,[d,h]=l.values,[c,u]=l.scales,[p,m]=Ia.match,g=t.axes[0].side%2==1,f=0==C.ori?ne:re,v=1==C.ori?ne:re,y=g?r:n,b=g?n:r,$=g?i:s,k=g?s:i;if(s=null!=c?p(e,c)?o(d,w[e],f,0):-10:f*($/y),i=null!=u?m(a,u)?o(h,w[a],v,0):-10:v*(k/b),1==C.ori){let e=s;s=i,i=e}}h&&(null==t||t.cursor.event.type==Yt)&&((s<=1||s>=ne-1)&&(s=oa(s,ne)),(i<=1||i>=re-1)&&(i=oa(i,re))),d?(Ct=s,Mt=i,[At,Dt]=j.move(a,s,i)):(Pt=s,Bt=i)}Object.defineProperty(a,"rect",{get:()=>(null==da&&pa(!1),da)});let _a,Ta,Ea,Ca,Ma={width:0,height:0,left:0,top:0};function Aa(){fs(Ma,!1)}function Da(e,t,s,i,n,r,o){Xt=!0,is=hs=ts._x=ts._y=!1,ka(e,t,s,i,n,r,0,!0,!1),null!=e&&(te(Vt,ss,La,!1),Ya(Ht,a,At,Dt,ne,re,null));let{left:l,top:d,width:h,height:c}=us;_a=l,Ta=d,Ea=h,Ca=c}function La(e,t,s,i,n,r,o){Xt=ts._x=ts._y=!1,ka(e,t,s,i,n,r,0,!1,!0);let{left:l,top:d,width:h,height:c}=us,u=h>0||c>0,p=_a!=l||Ta!=d||Ea!=h||Ca!=c;if(u&&p&&fs(us),ts.setScale&&u&&p){let e=l,t=h,s=d,a=c;if(1==C.ori&&(e=d,t=c,s=l,a=h),is&&vs(k,Ns(e,k),Ns(e+t,k)),hs)for(let e in w){let t=w[e];e!=k&&null==t.from&&t.min!=Ks&&vs(e,Ns(s+a,e),Ns(s,e))}Aa()}else j.lock&&(j._lock=!j._lock,la(t,!0,null!=e));null!=e&&(se(Vt,ss),Ya(Vt,a,Pt,Bt,ne,re,null))}function Oa(e,t,s,i,n,r,o){j._lock||(Te(e),at(),Aa(),null!=e&&Ya(Jt,a,Pt,Bt,ne,re,null))}function Na(){b.forEach(Ln),_e(a.width,a.height,!0)}ys(Qt,as,Na);let Ra={};Ra.mousedown=Da,Ra.mousemove=ya,Ra.mouseup=La,Ra.dblclick=Oa,Ra.setSeries=(e,t,s,i)=>{-1!=(s=(0,Ia.match[2])(a,t,s))&&$s(s,i,!0,!1)},I&&(te(Ht,m,Da),te(Yt,m,ya),te(Kt,m,e=>{Te(e),pa(!1)}),te(Zt,m,(e,t,s,a,i,n,r)=>{if(j._lock)return;Te(e);let o=Xt;if(Xt){let e,t,s=!0,a=!0,i=10;0==C.ori?(e=is,t=hs):(e=hs,t=is),e&&t&&(s=Pt<=i||Pt>=ne-i,a=Bt<=i||Bt>=re-i),e&&s&&(Pt=Pt<At?0:ne),t&&a&&(Bt=Bt<Dt?0:re),la(null,!0,!0),Xt=!1}Pt=-10,Bt=-10,R.fill(null),la(null,!0,!0),o&&(Xt=o)}),te(Jt,m,Oa),bn.add(a),a.syncRect=pa);let Ua=a.hooks=e.hooks||{};function ja(e,t,s){bt?wt.push([e,t,s]):e in Ua&&Ua[e].forEach(e=>{e.call(null,a,t,s)})}(e.plugins||[]).forEach(e=>{for(let t in e.hooks)Ua[t]=(Ua[t]||[]).concat(e.hooks[t])});let qa=(e,t,s)=>s,Ia=Sa({key:null,setSeries:!1,filters:{pub:aa,sub:aa},scales:[k,y[1]?y[1].scale:null],match:[ia,ia,qa],values:[null,null]},j.sync);2==Ia.match.length&&Ia.match.push(qa),j.sync=Ia;let Ba=Ia.key,Ga=Yi(Ba);function Ya(e,t,s,a,i,n,r){Ia.filters.pub(e,t,s,a,i,n,r)&&Ga.pub(e,t,s,a,i,n,r)}function Ha(){ja("init",e,t),st(t||e.data,!1),A[k]?xt(k,A[k]):at(),$e=us.show&&(us.width>0||us.height>0),we=ke=!0,_e(e.width,e.height)}return Ga.sub(a),a.pub=(e,t,s,a,i,n,r)=>{Ia.filters.sub(e,t,s,a,i,n,r)&&Ra[e](null,t,s,a,i,n,r)},a.destroy=()=>{Ga.unsub(a),bn.delete(a),ee.clear(),bs(Qt,as,Na),d.remove(),F?.remove(),ja("destroy")},y.forEach(Ne),b.forEach((e,t)=>{if(e._show=e.show,e.show){let s=w[e.scale];null==s&&(e.scale=e.side%2?y[1].scale:k,s=w[e.scale]);let i=s.time;e.size=Qs(e.size),e.space=Qs(e.space),e.rotate=Qs(e.rotate),va(e.incrs)&&e.incrs.forEach(e=>{!ca.has(e)&&ca.set(e,ua(e))}),e.incrs=Qs(e.incrs||(2==s.distr?Wa:i?1==v?ti:ii:Fa)),e.splits=Qs(e.splits||(i&&1==s.distr?O:3==s.distr?zi:4==s.distr?Ei:Ti)),e.stroke=Qs(e.stroke),e.grid.stroke=Qs(e.grid.stroke),e.ticks.stroke=Qs(e.ticks.stroke),e.border.stroke=Qs(e.border.stroke);let n=e.values;e.values=va(n)&&!va(n[0])?Qs(n):i?va(n)?li(D,oi(n,L)):ba(n)?((e,t)=>{let s=Pa(t);return(t,a,i,n,r)=>a.map(t=>s(e(t)))})(D,n):n||N:n||Si,e.filter=Qs(e.filter||(s.distr>=3&&10==s.log?Oi:3==s.distr&&2==s.log?Ni:ta)),e.font=Dn(e.font),e.labelFont=Dn(e.labelFont),e._size=e.size(a,null,t,0),e._space=e._rotate=e._incrs=e._found=e._splits=e._values=null,e._size>0&&(Pe[t]=!0,e._el=ds("u-axis",u))}}),s?s instanceof HTMLElement?(s.appendChild(d),Ha()):s(a,Ha):Ha(),a}On.assign=Sa,On.fmtNum=Ns,On.rangeNum=As,On.rangeLog=Ts,On.rangeAsinh=zs,On.orient=Hi,On.pxRatio=Nt,On.join=(e,t)=>{if((e=>{let t=e[0][0],s=t.length;for(let a=1;a<e.length;a++){let i=e[a][0];if(i.length!=s)return!1;if(i!=t)for(let e=0;e<s;e++)if(i[e]!=t[e])return!1}return!0})(e)){let t=e[0].slice();for(let s=1;s<e.length;s++)t.push(...e[s].slice(1));return((e,t=100)=>{let s=e.length;if(s<=1)return!0;let a=0,i=s-1;for(;a<=i&&null==e[a];)a++;for(;i>=a&&null==e[i];)i--;if(i<=a)return!0;let n=Fs(1,js((i-a+1)/t));for(let t=e[a],s=a+n;s<=i;s+=n){let a=e[s];if(null!=a){if(a<=t)return!1;t=a}}return!0})(t[0])||(t=(e=>{let t=e[0],s=t.length,a=Array(s);for(let e=0;e<a.length;e++)a[e]=e;a.sort((e,s)=>t[e]-t[s]);let i=[];for(let t=0;t<e.length;t++){let n=e[t],r=Array(s);for(let e=0;e<s;e++)r[e]=n[a[e]];i.push(r)}return i})(t)),t}let s=new Set;for(let t=0;t<e.length;t++){let a=e[t][0],i=a.length;for(let e=0;e<i;e++)s.add(a[e])}let a=[Array.from(s).sort((e,t)=>e-t)],i=a[0].length,n=new Map;for(let e=0;e<i;e++)n.set(a[0][e],e);for(let s=0;s<e.length;s++){let r=e[s],o=r[0];for(let e=1;e<r.length;e++){let l=r[e],d=Array(i).fill(void 0),h=t?t[s][e]:1,c=[];for(let e=0;e<l.length;e++){let t=l[e],s=n.get(o[e]);null===t?0!=h&&(d[s]=t,2==h&&c.push(s)):d[s]=t}Ta(d,c,i),a.push(d)}}return a},On.fmtDate=Pa,On.tzDate=(e,t)=>{let s;return"UTC"==t||"Etc/UTC"==t?s=new Date(+e+6e4*e.getTimezoneOffset()):t==Ra?s=e:(s=new Date(e.toLocaleString("en-US",{timeZone:t})),s.setMilliseconds(e.getMilliseconds())),s},On.sync=Yi;{On.addGap=(e,t,s)=>{let a=e[e.length-1];a&&a[0]==t?a[1]=s:e.push([t,s])},On.clipGaps=Ji;let e=On.paths={points:un};e.linear=fn,e.stepped=e=>{let t=Ds(e.align,1),s=Ds(e.ascDesc,!1),a=Ds(e.alignGaps,0),i=Ds(e.extend,!1);return(e,n,r,o)=>Hi(e,n,(l,d,h,c,u,p,m,g,f,v,y)=>{[r,o]=xs(h,r,o);let b=l.pxRound,{left:w,width:$}=e.bbox,k=e=>b(p(e,c,v,g)),_=e=>b(m(e,u,y,f)),x=0==c.ori?an:nn,S={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},T=S.stroke,z=c.dir*(0==c.ori?1:-1),E=_(h[1==z?r:o]),C=k(d[1==z?r:o]),M=C,A=C;i&&-1==t&&(A=w,x(T,A,E)),x(T,C,E);for(let e=1==z?r:o;e>=r&&e<=o;e+=z){let s=h[e];if(null==s)continue;let a=k(d[e]),i=_(s);1==t?x(T,a,E):x(T,M,i),x(T,a,i),E=i,M=a}let D=M;i&&1==t&&(D=w+$,x(T,D,E));let[L,O]=Vi(e,n);if(null!=l.fill||0!=L){let t=S.fill=new Path2D(T),s=_(l.fillTo(e,n,l.min,l.max,L));x(t,D,s),x(t,A,s)}if(!l.spanGaps){let i=[];i.push(...Xi(d,h,r,o,z,k,a));let u=l.width*Nt/2,p=s||1==t?u:-u,m=s||-1==t?-u:u;i.forEach(e=>{e[0]+=p,e[1]+=m}),S.gaps=i=l.gaps(e,n,r,o,i),S.clip=Ji(i,c.ori,g,f,v,y)}return 0!=O&&(S.band=2==O?[Zi(e,n,r,o,T,-1),Zi(e,n,r,o,T,1)]:Zi(e,n,r,o,T,O)),S})},e.bars=e=>{let t=Ds((e=e||ma).size,[.6,Ks,1]),s=e.align||0,a=e.gap||0,i=e.radius;i=null==i?[0,0]:"number"==typeof i?[i,0]:i;let n=Qs(i),r=1-t[0],o=Ds(t[1],Ks),l=Ds(t[2],1),d=Ds(e.disp,ma),h=Ds(e.each,e=>{}),{fill:c,stroke:u}=d;return(e,t,i,p)=>Hi(e,t,(m,g,f,v,y,b,w,$,k,_,x)=>{let S,T,z=m.pxRound,E=s,C=a*Nt,M=o*Nt,A=l*Nt;0==v.ori?[S,T]=n(e,t):[T,S]=n(e,t);let D,L,O,N=v.dir*(0==v.ori?1:-1),P=0==v.ori?rn:on,R=0==v.ori?h:(e,t,s,a,i,n,r)=>{h(e,t,s,i,a,r,n)},U=Ds(e.bands,ga).find(e=>e.series[0]==t),j=m.fillTo(e,t,m.min,m.max,null!=U?U.dir:0),q=z(w(j,y,x,k)),I=_,W=z(m.width*Nt),F=!1,B=null,G=null,Y=null,H=null;null!=c&&(0==W||null!=u)&&(F=!0,B=c.values(e,t,i,p),G=new Map,new Set(B).forEach(e=>{null!=e&&G.set(e,new Path2D)}),W>0&&(Y=u.values(e,t,i,p),H=new Map,new Set(Y).forEach(e=>{null!=e&&H.set(e,new Path2D)})));let{x0:V,size:K}=d;if(null!=V&&null!=K){E=1,g=V.values(e,t,i,p),2==V.unit&&(g=g.map(t=>e.posToVal($+t*_,v.key,!0)));let s=K.values(e,t,i,p);L=2==K.unit?s[0]*_:b(s[0],v,_,$)-b(0,v,_,$),I=vn(g,f,b,v,_,$,I),O=I-L+C}else I=vn(g,f,b,v,_,$,I),O=I*r+C,L=I-O;O<1&&(O=0),W>=L/2&&(W=0),O<5&&(z=ea);let Z=O>0;L=z(Js(I-O-(Z?W:0),A,M)),D=(0==E?L/2:E==N?0:L)-E*N*((0==E?C/2:0)+(Z?W/2:0));let J={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},X=F?null:new Path2D,Q=null;if(null!=U)Q=e.data[U.series[1]];else{let{y0:s,y1:a}=d;null!=s&&null!=a&&(f=a.values(e,t,i,p),Q=s.values(e,t,i,p))}let ee=S*L,te=T*L;for(let s=1==N?i:p;s>=i&&s<=p;s+=N){let a=f[s];if(null==a)continue;if(null!=Q){let e=Q[s]??0;if(a-e==0)continue;q=w(e,y,x,k)}let i=b(2!=v.distr||null!=d?g[s]:s,v,_,$),n=w(Ds(a,j),y,x,k),r=z(i-D),o=z(Fs(n,q)),l=z(Ws(n,q)),h=o-l;if(null!=a){let i=a<0?te:ee,n=a<0?ee:te;F?(W>0&&null!=Y[s]&&P(H.get(Y[s]),r,l+js(W/2),L,Fs(0,h-W),i,n),null!=B[s]&&P(G.get(B[s]),r,l+js(W/2),L,Fs(0,h-W),i,n)):P(X,r,l+js(W/2),L,Fs(0,h-W),i,n),R(e,t,s,r-W/2,l,L+W,h)}}return W>0?J.stroke=F?H:X:F||(J._fill=0==m.width?m._fill:m._stroke??m._fill,J.width=0),J.fill=F?G:X,J})},e.spline=e=>((e,t)=>{let s=Ds(t?.alignGaps,0);return(t,a,i,n)=>Hi(t,a,(r,o,l,d,h,c,u,p,m,g,f)=>{[i,n]=xs(l,i,n);let v,y,b,w=r.pxRound,$=e=>w(c(e,d,g,p)),k=e=>w(u(e,h,f,m));0==d.ori?(v=tn,b=an,y=hn):(v=sn,b=nn,y=cn);let _=d.dir*(0==d.ori?1:-1),x=$(o[1==_?i:n]),S=x,T=[],z=[];for(let e=1==_?i:n;e>=i&&e<=n;e+=_)if(null!=l[e]){let t=$(o[e]);T.push(S=t),z.push(k(l[e]))}let E={stroke:e(T,z,v,b,y,w),fill:null,clip:null,band:null,gaps:null,flags:1},C=E.stroke,[M,A]=Vi(t,a);if(null!=r.fill||0!=M){let e=E.fill=new Path2D(C),s=k(r.fillTo(t,a,r.min,r.max,M));b(e,S,s),b(e,x,s)}if(!r.spanGaps){let e=[];e.push(...Xi(o,l,i,n,_,$,s)),E.gaps=e=r.gaps(t,a,i,n,e),E.clip=Ji(e,d.ori,p,m,g,f)}return 0!=A&&(E.band=2==A?[Zi(t,a,i,n,C,-1),Zi(t,a,i,n,C,1)]:Zi(t,a,i,n,C,A)),E})})(yn,e)}var Nn=["--aisha-accent","--aisha-good","--aisha-warn","--aisha-danger","--aisha-muted"],Pn="11px system-ui, sans-serif",Rn=Array.from({length:10},(e,t)=>[1,2,5].map(e=>e*10**t)).flat(),Un=class extends m{constructor(){super(...arguments),this.caption="",this.labels=[],this.series=[],this.format=String,this.theme="",this.observer=new ResizeObserver(()=>this.fit())}disconnectedCallback(){super.disconnectedCallback(),this.observer.disconnect(),this.plot?.destroy(),this.plot=void 0}render(){return u`<div class="plot" aria-hidden="true"></div>
${this.series.length>1?u`<div class="legend" aria-hidden="true">
${this.series.map((e,t)=>u`<span><i class="c${t%Nn.length}"></i>${e.name}</span>`)}
</div>`:""}
<table class="hidden-text">
<caption>
${this.caption}
</caption>
<tr>
<td></td>
${this.series.map(e=>u`<th scope="col">${e.name}</th>`)}
</tr>
${this.labels.map((e,t)=>u`<tr>
<th scope="row">${e}</th>
${this.series.map(e=>u`<td>${this.format(e.values[t]??0)}</td>`)}
</tr>`)}
</table>`}updated(){this.draw()}get isWhole(){return this.series.every(({values:e})=>e.every(Number.isInteger))}get box(){return this.renderRoot.querySelector(".plot")}fit(){let e=this.box?.clientWidth??0;e&&this.plot&&this.plot.width!==e&&this.plot.setSize({width:e,height:220})}draw(){this.plot?.destroy();let e=getComputedStyle(this),t=t=>e.getPropertyValue(t).trim(),s={stroke:t("--aisha-muted"),grid:{stroke:t("--aisha-line"),width:1},ticks:{show:!1},font:Pn},a=this.series.map((e,t)=>this.labels.map((e,s)=>this.series.slice(0,t+1).reduce((e,t)=>e+(t.values[s]??0),0))),i=this.series.map((e,t)=>t).toReversed(),n=On.paths.bars({size:[.6,48],radius:.15});this.plot=new On({width:this.box.clientWidth||320,height:220,padding:[8,0,0,0],legend:{show:!1},cursor:{show:!1},select:{show:!1,left:0,top:0,width:0,height:0},scales:{x:{time:!1,range:[-.6,this.labels.length-.4]},y:{range:(e,t,s)=>[0,s>0?1.08*s:1]}},axes:[{...s,size:()=>10+16*Math.max(1,...this.wrapped().map(e=>e.split("\n").length)),grid:{show:!1},splits:()=>this.labels.map((e,t)=>t),values:()=>this.wrapped()},{...s,...this.isWhole?{incrs:Rn}:{},size:(e,t)=>this.axisWidth(t),values:(e,t)=>t.map(e=>this.format(e))}],series:[{},...i.map(e=>({label:this.series[e].name,fill:t(Nn[e%Nn.length]),stroke:t(Nn[e%Nn.length]),width:0,points:{show:!1},paths:n}))]},[this.labels.map((e,t)=>t),...i.map(e=>a[e])],this.box),this.observer.observe(this.box)}axisWidth(e){let t=document.createElement("canvas").getContext("2d");return t.font=Pn,Math.max(46,...(e??[]).map(e=>Math.ceil(t.measureText(e).width)+5))}wrapped(){let e=((this.box.clientWidth||320)-46)/Math.max(1,this.labels.length),t=Math.ceil(28/e),s=document.createElement("canvas").getContext("2d");s.font=Pn;let a=a=>s.measureText(a).width<=e*t-5,i=e=>{let t=e.length;for(;t>1&&!a(t<e.length?`${e.slice(0,t)}…`:e);)t-=1;return t<e.length?`${e.slice(0,t)}…`:e};return this.labels.map((e,s)=>{if(s%t)return"";if(a(e))return e;let[n="",...r]=e.split(" ");return[n,r.join(" ")].filter(Boolean).map(i).join("\n")})}};Un.styles=[M,dt,c`.plot{direction:ltr;block-size:220px}.uplot,.uplot *,.uplot *:before,.uplot *:after{box-sizing:border-box}.u-wrap{position:relative;user-select:none}.u-over,.u-under{position:absolute}.uplot canvas{display:block;position:relative;inline-size:100%;block-size:100%}.u-axis{position:absolute}.legend{display:flex;flex-wrap:wrap;gap:var(--aisha-3);margin-block-start:var(--aisha-2);color:var(--aisha-muted)}.legend i{display:inline-block;inline-size:10px;block-size:10px;border-radius:3px;margin-inline-end:6px}.c0{background:var(--aisha-accent)}.c1{background:var(--aisha-good)}.c2{background:var(--aisha-warn)}.c3{background:var(--aisha-danger)}.c4{background:var(--aisha-muted)}`],N([g()],Un.prototype,"caption",2),N([g({attribute:!1})],Un.prototype,"labels",2),N([g({attribute:!1})],Un.prototype,"series",2),N([g({attribute:!1})],Un.prototype,"format",2),N([g()],Un.prototype,"theme",2),Un=N([x("desk-chart")],Un);var jn=class{constructor(e,t){this.host=e,this.ask=t,this.value=null,this.error="",this.attempt=0,e.addController(this)}hostConnected(){this.load()}async load(){let e=this.attempt+=1;this.error="";try{let t=await this.ask();e===this.attempt&&(this.value=t)}catch(t){e===this.attempt&&(this.error=Ae(t))}this.host.requestUpdate()}show(e){return this.error?ft(this.error,()=>this.load()):null===this.value?vt():e(this.value)}},qn=class extends m{constructor(){super(...arguments),this.theme="",this.loader=new jn(this,()=>$(this.desk.api.rest.GET("/api/ai/analytics")))}render(){return this.loader.show(e=>this.summary(e))}summary(e){if(!e.totalCommands)return gt(Te("no_commands"));let t=e.performanceMetrics,s=(e,t)=>u`<div class="card"><strong>${t}</strong><span class="muted">${e}</span></div>`,a=e=>null==e?"—":Fe(e),i=e.mostFrequentCommands;return u`<div class="figures">
${s(Te("commands"),Oe(e.totalCommands))}
${s(Te("commands_succeeded"),Ne(e.successRate/100))}
${s(Te("commands_whole"),a(t.avgTotalMs))}
${s(Te("column_model"),a(t.avgLlmMs))}
${s(Te("commands_heard"),a(t.avgSttMs))}
${s(Te("commands_spoken"),a(t.avgTtsMs))}
</div>
<div class="grid">
<section class="card">
<h2>${Te("commands_frequent")}</h2>
<desk-chart
caption=${Te("commands_frequent")}
.labels=${i.map(e=>e.commandName)}
.series=${[{name:Te("commands_times"),values:i.map(e=>e.count)}]}
.format=${Oe}
theme=${this.theme}
></desk-chart>
</section>
<section class="card">
<h2>${Te("commands_failures")}</h2>
${e.recentFailures.length?u`<dl class="fields">
${e.recentFailures.map(e=>u`<dt>${e.commandName}<br />${je(e.timestamp)}</dt>
<dd>${e.errorMessage}</dd>`)}
</dl>`:u`<p class="muted">${Te("commands_none_failed",{count:Oe(e.commandsRead)})}</p>`}
</section>
</div>
${e.truncated?u`<p class="muted">${Te("commands_cut")}</p>`:p}`}};qn.styles=[M,dt,c`.figures{display:grid;gap:var(--aisha-3);grid-template-columns:repeat(auto-fit,minmax(max(112px,30%),1fr));margin-block-end:var(--aisha-4)}.figures strong{display:block;font-size:22px}`],N([g({attribute:!1})],qn.prototype,"desk",2),N([g()],qn.prototype,"theme",2),qn=N([x("desk-analytics")],qn);var In=class extends m{constructor(){super(...arguments),this.isSaving=!1,this.loader=new jn(this,()=>$(this.desk.api.rest.GET("/api/ai/profile")))}render(){return this.loader.show(e=>this.form(e))}form(e){let t=e.admin;return u`<form @submit=${e=>this.save(e,t.version)}>
<label class="field">
${Te("column_name")}
<input name="name" maxlength="60" .value=${e.assistantName} />
</label>
<label class="field">
${Te("persona")}
<textarea name="persona" maxlength="3010" .value=${t.persona.join("\n")}></textarea>
<span class="muted">${Te("persona_hint")}</span>
</label>
<fieldset>
<legend>${Te("own_words")}</legend>
${Be.map(t=>u`<label class="field"
>${He(t,{})}
<input
name="label.${t.type}"
maxlength="60"
.value=${e.labels[t.type]??""}
placeholder=${He(t,{})}
/>
</label>`)}
</fieldset>
<div class="row">
<button class="button primary" ?disabled=${this.isSaving}>${Te("save")}</button>
<span class="muted">
${Te("operator_plan",{plan:We(t.plan)})}
${t.provider?Te("operator_models",{provider:We(t.provider)}):p}
${Te(t.masksContacts?"operator_masked":"operator_unmasked")} ${Te("operator_sets")}
</span>
</div>
</form>`}async save(e,t){e.preventDefault();let s=new FormData(e.target),a=e=>String(s.get(e)??"").trim(),i=a("persona").split("\n").map(e=>e.trim()),n=Be.map(e=>[e.type,a(`label.${e.type}`)]).filter(([,e])=>e);this.isSaving=!0;try{let e={assistantName:a("name"),persona:i.filter(Boolean),labels:Object.fromEntries(n),version:t};await this.desk.api.rest.PATCH("/api/ai/profile",{body:e}),this.desk.tell([Te("saved"),Te("holds_soon"),Te("own_words_saved")].join(" "))}catch(e){this.desk.tell(Ae(e),!0)}this.isSaving=!1,await this.loader.load()}};In.styles=[M,dt,c`form{display:grid;gap:var(--aisha-4);max-inline-size:640px}textarea{min-block-size:120px;resize:vertical}fieldset{display:grid;gap:var(--aisha-3);grid-template-columns:repeat(auto-fit,minmax(160px,1fr));margin:0;padding:0;border:0}legend{font-weight:600;margin-block-end:var(--aisha-2)}`],N([g({attribute:!1})],In.prototype,"desk",2),N([f()],In.prototype,"isSaving",2),In=N([x("desk-assistant-profile")],In);var Wn=["executed","failed","rejected","pending","not_found","intended","unreadable"],Fn=["column_time","column_user","column_door","column_tool","field_status","column_done"],Bn=class extends m{constructor(){super(...arguments),this.filters={},this.log=new jn(this,()=>this.page()),this.chain=new jn(this,()=>$(this.desk.api.rest.GET("/api/ai/audit/verification")))}render(){return u`${this.chain.show(e=>u`<section class="card">
<h2>${Te("chain")} ${ct(e.isIntact?"intact":"broken",e.isIntact?"good":"bad")}</h2>
<p>
${Te("chain_entries",{count:Oe(e.entries)})}
${e.isIntact?Te("chain_intact"):p}
</p>
${e.problems.map(e=>u`<p class="error" lang="en">${e}</p>`)}
${e.entries?u`<p class="muted">${Te("chain_head")} <code>${e.head.hash}</code></p>`:p}
</section>`)}
<form @submit=${this.filter}>
<label class="field">${Te("column_tool")} <input name="tool" placeholder="update_lead" /></label>
<label class="field">${Te("column_user")} <input name="user" placeholder="alice" /></label>
<label class="field"
>${Te("column_record")} <input name="entity" placeholder=${Te("audit_record_hint")}
/></label>
<label class="field"
>${Te("field_status")}
<select name="status">
<option value="">${Te("any")}</option>
${Wn.map(e=>u`<option value=${e}>${et(e)}</option>`)}
</select>
</label>
<button class="button primary">${Te("filter")}</button>
</form>
${this.log.show(e=>this.table(e))}`}table(e){return e.items.length?u`<div class="scroll" tabindex="0" role="region" aria-label=${Te("audit_log")}>
<table>
<thead>
<tr>
${Fn.map(e=>u`<th scope="col">${Te(e)}</th>`)}
</tr>
</thead>
<tbody>
${e.items.map(e=>u`<tr>
<td>${je(e.at)}</td>
<td>${We(e.user)}</td>
<td>${st(e.door)}</td>
<td>${e.tool}</td>
<td>
${ct(e.status)} ${"normal"===e.severity?p:ct(e.severity,"warn")}
</td>
<td class="name">
<span lang="en">${e.line}</span>
<details>
<summary>${Te("audit_details")}</summary>
<pre tabindex="0">
${JSON.stringify({arguments:e.arguments,receipts:e.receipts,error:e.error},null,2)}</pre>
</details>
</td>
</tr>`)}
</tbody>
</table>
</div>
${e.nextCursor?u`<button class="button" @click=${()=>this.more(e)}>${Te("show_more")}</button>`:p}`:gt(Te(Object.keys(this.filters).length>0?"audit_none_fits":"audit_none"))}page(e){let t={...this.filters,limit:30,...e?{cursor:e}:{}};return $(this.desk.api.rest.GET("/api/ai/audit",{params:{query:t}}))}async more(e){try{let t=await this.page(e.nextCursor);this.log.value={...t,items:[...e.items,...t.items]},this.requestUpdate()}catch(e){this.desk.tell(Ae(e),!0)}}filter(e){e.preventDefault();let t=[...new FormData(e.target)].map(([e,t])=>[e,String(t).trim()]).filter(([,e])=>e);this.filters=Object.fromEntries(t),this.log.load()}};Bn.styles=[M,dt,c`form{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,130px),1fr));gap:var(--aisha-3);align-items:end;margin-block:var(--aisha-4)}form :is(input,select){block-size:38px}form .button{justify-self:start;block-size:38px}pre{padding:var(--aisha-2);background:var(--aisha-sunken);border-radius:var(--aisha-radius-s);max-block-size:320px;overflow:auto}`],N([g({attribute:!1})],Bn.prototype,"desk",2),N([f()],Bn.prototype,"filters",2),Bn=N([x("desk-audit")],Bn);var Gn=class extends m{constructor(){super(...arguments),this.lines=null,this.isChecking=!1,this.chosen="",this.loader=new jn(this,()=>$(this.desk.api.rest.GET("/api/ai/connections")))}render(){return u`<div class="head">
<button class="button end" @click=${()=>this.loader.load()}>${Te("refresh")}</button>
</div>
${this.loader.show(({items:e,connectable:t})=>u`<div class="grid">
${e.map(e=>u`${this.connection(e)}${this.check()}`)}
${e.length?p:this.command(t)}
</div>`)}`}connection(e){let t=[[Te("connection_address"),e.url||"—"],[Te("connection_state"),ct(Te("ready"===e.phase?"connection_ready":"connection_loading"),e.error?"bad":"")],[Te("column_records"),Oe(e.loaded)],[Te("connection_read"),e.syncedAt?je(e.syncedAt):"—"],[Te("connection_lag"),null==e.lagSeconds?"—":Fe(1e3*e.lagSeconds)],[Te("connection_error"),e.error?u`<span lang="en">${e.error}</span>`:Te("none")]];return u`<section class="card stack">
<h2>${e.title}</h2>
<dl class="fields">
${t.map(([e,t])=>u`<dt>${e}</dt>
<dd>${t}</dd>`)}
</dl>
<h2>${Te("connection_problems")}</h2>
${e.problems.length?u`<ul lang="en">
${e.problems.map(e=>u`<li>${e}</li>`)}
</ul>`:u`<p class="muted">${Te("none")}</p>`}
</section>`}check(){return u`<section class="card stack">
<h2>${Te("connection_check")}</h2>
<p class="muted">${Te("connection_check_hint")}</p>
<p>
<button class="button" ?disabled=${this.isChecking} aria-busy=${this.isChecking} @click=${this.run}>
${Te("connection_check_run")}
</button>
</p>
<div role="status">
${this.lines&&u`<ul lang="en">
${this.lines.map(e=>u`<li>${e.failed?u`<strong>${e.text}</strong>`:e.text}</li>`)}
</ul>`}
</div>
</section>`}command(e){let t=e.find(e=>e.crm===this.chosen)??e[0];return u`<section class="card stack">
<h2>${Te("connection_none")}</h2>
<p class="muted">${Te("connection_how")}</p>
<label
>${Te("connection_crm")}
<select @change=${e=>this.chosen=e.target.value}>
${e.map(e=>u`<option value=${e.crm} ?selected=${e===t}>${e.title}</option>`)}
</select></label
>
${t&&u`<p>${Te("connection_secret",{secret:t.secret})}</p>
<pre class="scroll" tabindex="0" lang="en">${t.command}</pre>`}
</section>`}async run(){this.isChecking=!0;try{this.lines=(await $(this.desk.api.rest.POST("/api/ai/connections/check"))).lines}catch(e){this.desk.tell(Ae(e),!0)}this.isChecking=!1}};Gn.styles=[M,dt],N([g({attribute:!1})],Gn.prototype,"desk",2),N([f()],Gn.prototype,"lines",2),N([f()],Gn.prototype,"isChecking",2),N([f()],Gn.prototype,"chosen",2),Gn=N([x("desk-connections")],Gn);var Yn=class extends m{constructor(){super(...arguments),this.deleting="",this.loader=new jn(this,()=>$(this.desk.api.rest.GET("/api/ai/documents")))}render(){return u`<p class="muted head">${Te("documents_hint")}</p>
${this.loader.show(e=>this.table(e))}
<form class="card" @submit=${this.add}>
<h2>${Te("document_add")}</h2>
<label class="field"
>${Te("document_file")} <input type="file" accept=".md,.txt,text/*" @change=${this.read}
/></label>
<label class="field">${Te("field_title")} <input name="title" required maxlength="200" /></label>
<label class="field">${Te("document_about")} <input name="description" required maxlength="300" /></label>
<label class="field">${Te("field_content")} <textarea name="text" required></textarea></label>
<div><button class="button primary">${Te("save")}</button></div>
</form>`}table(e){return e.items.length?u`<div class="scroll" tabindex="0" role="region" aria-label=${Te("tab_documents")}>
<table>
<thead>
<tr>
<th scope="col">${Te("field_title")}</th>
<th scope="col">${Te("document_about")}</th>
<th scope="col"><span class="hidden-text">${Te("actions")}</span></th>
</tr>
</thead>
<tbody>
${e.items.map(e=>u`<tr>
<td class="name">${e.title}</td>
<td class="name">${e.description}</td>
<td class="number">${this.actions(e)}</td>
</tr>`)}
</tbody>
</table>
</div>`:gt(Te("document_none"))}actions(e){return this.deleting!==e.id?u`<button
class="button"
aria-label=${Te("delete_one",{text:e.title})}
@click=${()=>this.deleting=e.id}
>
${Te("delete")}
</button>`:u`<span class="row">
<button class="button danger" @click=${()=>this.discard(e)}>${Te("document_delete")}</button>
<button class="button" @click=${()=>this.deleting=""}>${Te("document_keep")}</button>
</span>`}async read(e){let t=e.target.files?.[0];if(!t)return;let s=e.target.form;s.elements.namedItem("text").value=await t.text();let a=s.elements.namedItem("title");a.value||=t.name.replace(/\.\w+$/,"").replace(/[-_]+/g," ")}async add(e){e.preventDefault();let t=e.target,s=new FormData(t),a=e=>String(s.get(e)??""),i=a("title").toLowerCase().replace(/[^a-z0-9]+/g,"-").replace(/^-+|-+$/g,"").slice(0,60)||"document";await this.try(async()=>{let e={title:a("title"),description:a("description"),text:a("text")};await this.desk.api.rest.PUT("/api/ai/documents/{id}",{params:{path:{id:i}},body:e}),t.reset(),this.desk.tell(Te("document_saved"))})}async discard(e){this.deleting="",await this.try(()=>this.desk.api.rest.DELETE("/api/ai/documents/{id}",{params:{path:{id:e.id}}}))}async try(e){try{await e()}catch(e){this.desk.tell(Ae(e),!0)}await this.loader.load()}};Yn.styles=[M,dt,c`form{display:grid;gap:var(--aisha-3);max-inline-size:640px;margin-block-start:var(--aisha-4)}textarea{min-block-size:160px;resize:vertical}`],N([g({attribute:!1})],Yn.prototype,"desk",2),N([f()],Yn.prototype,"deleting",2),Yn=N([x("desk-documents")],Yn);var Hn=class extends m{constructor(){super(...arguments),this.sweep=new jn(this,()=>$(this.desk.api.rest.GET("/api/ai/sweeps"))),this.health=new jn(this,()=>$(this.desk.api.rest.GET("/health")))}render(){return u`<div class="head">
<button class="button end" @click=${this.refresh}>${Te("refresh")}</button>
</div>
<div class="grid">
<section class="card">
<h2>${Te("tab_health")}</h2>
${this.health.show(e=>u`<dl class="fields">
${e.dependencies.map(e=>u`<dt>${tt(e.name)}</dt>
<dd>
${ct(e.state)}
<span class="muted"
>${e.detail?u`<span lang="en">${e.detail}</span> · `:p}${Fe(e.durationMs)}</span
>
</dd>`)}
</dl>`)}
</section>
<section class="card stack">
<h2>${Te("sweep")}</h2>
${this.sweep.show(e=>this.state(e))}
</section>
</div>`}state(e){return u`<dl class="fields">
<dt>${Te("sweep_state")}</dt>
<dd>${ct(e.status)}</dd>
<dt>${Te("sweep_daily")}</dt>
<dd>${Te(e.isEnrolled?"yes":"sweep_later")}</dd>
${e.startedAt?u`<dt>${Te("sweep_began")}</dt>
<dd>${je(e.startedAt)}</dd>
<dt>${Te("column_records")}</dt>
<dd>
${Te(e.truncated?"sweep_partly":"sweep_read",{records:Oe(e.recordsExamined??0),pages:Oe(e.pages??0)})}
</dd>`:p}
${e.scans.map(e=>u`<dt>${ze("scan_",e.scanType,We(e.scanType))}</dt>
<dd>
${Te("sweep_found",{found:Oe(e.findings),fresh:Oe(e.newFindings)})}
${e.failedPages?ct(Te("sweep_failed",{count:e.failedPages}),"bad"):p}
</dd>`)}
</dl>
<h2>${Te("sweep_jobs")}</h2>
${e.jobs.length?u`<dl class="fields">
${e.jobs.map(e=>u`<dt>${e.name}</dt>
<dd>${ct(e.status,"running"===e.status?"accent":"")}</dd>`)}
</dl>`:u`<p class="muted">${Te("none")}</p>`}`}refresh(){this.sweep.load(),this.health.load()}};Hn.styles=[M,dt],N([g({attribute:!1})],Hn.prototype,"desk",2),Hn=N([x("desk-operations")],Hn);var Vn=["column_tool","column_toolkit","column_access","column_confirmation","column_module","column_rule"],Kn=["allow","ask","deny"],Zn={read:"",write:"accent",delete:"bad",external:"warn"},Jn=class extends m{constructor(){super(...arguments),this.loader=new jn(this,async()=>{let{rest:e}=this.desk.api,[t,s]=await Promise.all([$(e.GET("/api/ai/tools")),$(e.GET("/api/ai/profile"))]);return{tools:t.items,admin:s.admin}})}render(){return u`<p class="muted head">${Te("tools_hint")}</p>
${this.loader.show(e=>this.table(e))}`}table({tools:e,admin:t}){let s=new Set(e.map(e=>e.name)),a=Object.keys(t.rules).filter(e=>!s.has(e)),i=e.toSorted((e,t)=>e.toolkit.localeCompare(t.toolkit)||e.name.localeCompare(t.name));return u`<div class="scroll" tabindex="0" role="region" aria-label=${Te("tab_tools")}>
<table>
<thead>
<tr>
${Vn.map(e=>u`<th scope="col">${Te(e)}</th>`)}
</tr>
</thead>
<tbody>
${a.map(e=>u`<tr>
<td class="name"><strong>${pt(e)}</strong></td>
<td colspan="4" class="muted">${Te("tool_denied")}</td>
<td>${this.rule(e,t)}</td>
</tr>`)}
${i.map(e=>{return u`<tr>
<td class="name">
<strong>${pt(e.name)}</strong><br /><span class="muted" lang="en">${s=e,s.description.split("\n")[0]??""}</span>
</td>
<td>${tt(e.toolkit)}</td>
<td>${ct(e.access,Zn[e.access]??"")}</td>
<td>${ze("confirms_",e.confirmation,e.confirmation)}</td>
<td>${e.module?tt(e.module):"—"}</td>
<td>${this.rule(e.name,t)}</td>
</tr>`;var s})}
</tbody>
</table>
</div>`}rule(e,t){let s=t.rules[e]??"";return u`<select
aria-label=${Te("tool_rule",{tool:e})}
.value=${s}
@change=${s=>this.change(e,s.target.value,t)}
>
<option value="" ?selected=${!s}>${Te("tool_no_rule")}</option>
${Kn.map(e=>u`<option value=${e} ?selected=${e===s}>${et(e)}</option>`)}
</select>`}async change(e,t,s){let{[e]:a,...i}=s.rules,n=t?{...i,[e]:t}:i;try{await this.desk.api.rest.PATCH("/api/ai/profile",{body:{rules:n,version:s.version}}),this.desk.tell(`${Te("tool_rule_saved",{tool:e})} ${Te("holds_soon")}`)}catch(e){this.desk.tell(Ae(e),!0)}await this.loader.load()}};Jn.styles=[M,dt],N([g({attribute:!1})],Jn.prototype,"desk",2),Jn=N([x("desk-tools")],Jn);var Xn="*",Qn=["allow","ask","deny"],er={allow:"good",ask:"warn",deny:"bad"},tr=class extends m{constructor(){super(...arguments),this.busy="",this.outcome=null,this.loader=new jn(this,async()=>{let{rest:e}=this.desk.api,[t,s]=await Promise.all([$(e.GET("/api/ai/tools")),$(e.GET("/api/ai/profile"))]),a=s.admin,i=[...Object.values(a.trust).flat(),...Object.values(a.roleRules).flatMap(Object.keys)],n=[...new Set([...s.roles,...i])].filter(e=>e!==Xn).sort();return{tools:t.items.toSorted((e,t)=>e.name.localeCompare(t.name)),admin:a,roles:n}})}render(){return u`${this.loader.show(e=>u`${this.trust(e)} ${this.rules(e)}`)}`}trust(e){let{trust:t}=e.admin,s=e.tools.filter(e=>"write"===e.access);return u`<section class="card">
<h2>${Te("trust")}</h2>
<p class="muted">${Te("trust_hint")}</p>
${Object.keys(t).length?this.table([Te("column_tool"),Te("trust_roles")],Object.entries(t).flatMap(([e,s])=>s.map(a=>this.row(e,[ar(a)],"trust",Te("role_of",{tool:e,role:ar(a)}),()=>({trust:ir({...t,[e]:s.filter(e=>e!==a)})}))))):u`<p>${Te("trust_nobody")}</p>`}
<form @submit=${t=>this.addTrust(t,e.admin)}>
${this.toolField(s)} ${this.roleField(e.roles,"trust")}
<button class="button primary" ?disabled=${""!==this.busy}>${Te("trust_add")}</button>
</form>
${this.told("trust")}
</section>`}rules(e){let{roleRules:t}=e.admin;return u`<section class="card">
<h2>${Te("role_rules")}</h2>
<p class="muted">${Te("role_rules_hint")}</p>
${Object.keys(t).length?this.table([Te("column_tool"),Te("column_role"),Te("column_rule")],Object.entries(t).flatMap(([e,s])=>Object.entries(s).map(([a,i])=>this.row(e,[a,ct(i,er[i])],"roleRules",Te("role_of",{tool:e,role:a}),()=>{let{[a]:i,...n}=s;return{roleRules:ir({...t,[e]:n})}})))):u`<p>${Te("role_rules_none")}</p>`}
<form @submit=${t=>this.addRule(t,e.admin)}>
${this.toolField(e.tools)} ${this.roleField(e.roles,"rules")}
<label class="field">
${Te("column_rule")}
<select name="verdict">
${Qn.map(e=>u`<option value=${e} ?selected=${"ask"===e}>${et(e)}</option>`)}
</select>
</label>
<button class="button primary" ?disabled=${""!==this.busy}>${Te("role_rule_add")}</button>
</form>
${this.told("roleRules")}
</section>`}table(e,t){return u`<div class="scroll" tabindex="0" role="region" aria-label=${e.join(", ")}>
<table>
<thead>
<tr>
${e.map(e=>u`<th scope="col">${e}</th>`)}
<th scope="col"><span class="hidden-text">${Te("actions")}</span></th>
</tr>
</thead>
<tbody>
${t}
</tbody>
</table>
</div>`}row(e,t,s,a,i){return u`<tr>
<td class="name"><strong>${e}</strong></td>
${t.map(e=>u`<td>${e}</td>`)}
<td>
<button
class="button"
aria-label=${Te("remove_one",{what:a})}
?disabled=${""!==this.busy}
@click=${()=>this.save(s,i(),Te("role_removed",{what:a}))}
>
${Te("remove")}
</button>
</td>
</tr>`}toolField(e){return u`<label class="field">
${Te("column_tool")}
<select name="tool" required>
<option value="">${Te("choose_tool")}</option>
${e.map(e=>u`<option value=${e.name}>${e.name}</option>`)}
</select>
</label>`}roleField(e,t){return u`<label class="field">
${Te("column_role")}
<input
name="role"
required
maxlength="60"
list="${t}-roles"
autocomplete="off"
placeholder=${Te("role_hint")}
/>
<datalist id="${t}-roles">
${"trust"===t?u`<option value=${ar(Xn)}></option>`:p}
${e.map(e=>u`<option value=${e}></option>`)}
</datalist>
</label>`}told(e){if(this.outcome?.part!==e)return p;let{text:t,isError:s}=this.outcome;return u`<p class=${s?"error":"done"} role=${s?"alert":"status"}>${t}</p>`}addTrust(e,{trust:t}){let{form:s,tool:a,role:i}=sr(e),n=i.toLowerCase()===ar(Xn).toLowerCase()?Xn:i,r=[...new Set([...t[a]??[],n])];this.save("trust",{trust:{...t,[a]:r}},Te("trust_saved",{role:ar(n),tool:a}),s)}addRule(e,{roleRules:t}){let{form:s,tool:a,role:i,verdict:n}=sr(e),r={...t[a],[i]:n},o=Te("role_rule_saved",{role:i,tool:a,rule:lt(et(n))});this.save("roleRules",{roleRules:{...t,[a]:r}},o,s)}async save(e,t,s,a){let{version:i}=this.loader.value.admin;this.busy=e,this.outcome=null;try{await this.desk.api.rest.PATCH("/api/ai/profile",{body:{...t,version:i}}),a?.reset(),this.outcome={part:e,text:[Te("saved"),s,Te("holds_soon")].join(" "),isError:!1}}catch(t){this.outcome={part:e,text:Ae(t),isError:!0}}await this.loader.load(),this.busy=""}};function sr(e){e.preventDefault();let t=e.target,s=new FormData(t),a=e=>String(s.get(e)??"").trim();return{form:t,tool:a("tool"),role:a("role"),verdict:a("verdict")}}function ar(e){return e===Xn?Te("role_all"):e}function ir(e){return Object.fromEntries(Object.entries(e).filter(([,e])=>Object.keys(e).length))}tr.styles=[M,dt,c`:host{display:grid;gap:var(--aisha-4);max-inline-size:900px}.card{display:grid;gap:var(--aisha-3)}h2,.card p{margin:0}.card p{max-inline-size:72ch}form{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,170px),1fr));gap:var(--aisha-3);align-items:end}form :is(select,input){block-size:38px}form .button{justify-self:start;block-size:38px}td:last-child{text-align:end}.done{color:var(--aisha-good)}`],N([g({attribute:!1})],tr.prototype,"desk",2),N([f()],tr.prototype,"busy",2),N([f()],tr.prototype,"outcome",2),tr=N([x("desk-trust")],tr);var nr=class extends m{constructor(){super(...arguments),this.messageId="",this.loader=new jn(this,()=>$(this.desk.api.rest.GET("/api/ai/turns/{id}",{params:{path:{id:this.messageId}}})))}willUpdate(e){e.get("messageId")&&this.loader.load()}render(){return u`<p class="head"><a class="link" href="#/console/turns">${Te("all_turns")}</a></p>
${this.loader.show(e=>this.turn(e))}`}turn(e){return u`<div class="grid">
<section class="card">
<h2>${Te("turn")} ${ct(e.status)}</h2>
<dl class="fields">
<dt>${Te("turn_when")}</dt>
<dd>${je(e.at)}</dd>
<dt>${Te("column_user")}</dt>
<dd>${Te("turn_user",{user:We(e.user),door:st(e.door)})}</dd>
<dt>${Te("turn_mode")}</dt>
<dd>${ze("mode_",e.mode,We(e.mode))}</dd>
<dt>${Te("column_model")}</dt>
<dd>
${e.provider===ut?"—":`${e.provider}: ${e.model}`}
${e.degraded?ct("degraded","warn"):p}
</dd>
<dt>${Te("turn_calls")}</dt>
<dd>${Oe(e.iterations)}</dd>
<dt>${Te("column_tokens")}</dt>
<dd>${Te("turn_tokens",{read:Oe(e.inputTokens),written:Oe(e.outputTokens)})}</dd>
<dt>${Te("column_cost")}</dt>
<dd><strong>${Le(e.costUsd)}</strong></dd>
${e.error?u`<dt>${Te("turn_error")}</dt>
<dd class="error">${e.error}</dd>`:p}
${e.warnings.length?u`<dt>${Te("turn_warnings")}</dt>
<dd>${e.warnings.join(" ")}</dd>`:p}
${e.asked?u`<dt>${Te("turn_asked")}</dt>
<dd>${e.asked}</dd>`:p}
<dt>${Te("turn_ids")}</dt>
<dd><code>${e.messageId}</code><br /><code>${e.conversationId}</code></dd>
</dl>
</section>
${this.shares(Te("turn_steps"),e.stepsMs,Fe,e.totalMs)}
${this.shares(Te("turn_prompt"),e.promptTokens,Oe)}
<section class="card">
<h2>${Te("turn_tools")}</h2>
${e.calls.length?e.calls.map(e=>u`<div class="call">
<strong>${e.name}</strong> ${ct(e.status)}
<span class="muted">${Fe(e.durationMs)}</span>
<p lang="en">${e.error??e.line}</p>
<details>
<summary>${Te("turn_arguments")}</summary>
<pre>${JSON.stringify(e.arguments,null,2)}</pre>
</details>
</div>`):u`<p class="muted">${Te("turn_no_tools")}</p>`}
</section>
<p class="muted">${Te("turn_private")}</p>
</div>`}shares(e,t,s,a){let i=Object.entries(t).filter(([,e])=>e>0),n=a??i.reduce((e,[,t])=>e+t,0);return u`<section class="card">
<h2>${e} <span class="muted">${s(n)}</span></h2>
${i.length?u`<div class="share">
${i.toSorted((e,t)=>t[1]-e[1]).map(([e,t])=>u`<span lang="en">${We(e)}</span>
<progress max=${n||1} value=${t} aria-label=${We(e)}></progress>
<span class="number">${s(t)}</span>`)}
</div>`:u`<p class="muted">${Te("turn_no_prompt")}</p>`}
</section>`}};nr.styles=[M,dt,c`.share{display:grid;grid-template-columns:minmax(12ch,22ch) 1fr auto;gap:var(--aisha-2) var(--aisha-3);align-items:center}details{margin-block-start:var(--aisha-1)}.call{padding-block:var(--aisha-3);border-block-end:1px solid var(--aisha-line);overflow-wrap:anywhere}.call:last-child{border:0}pre{padding:var(--aisha-2);background:var(--aisha-sunken);border-radius:var(--aisha-radius-s)}`],N([g({attribute:!1})],nr.prototype,"desk",2),N([g()],nr.prototype,"messageId",2),nr=N([x("desk-turn")],nr);var rr=["column_time","column_user","field_status","column_tools","column_model"],or=class extends m{constructor(){super(...arguments),this.onlyFailed=!1,this.loader=new jn(this,()=>this.page())}render(){return u`<div class="head">
<label class="row">
<input
type="checkbox"
.checked=${this.onlyFailed}
@change=${e=>{this.onlyFailed=e.target.checked,this.loader.load()}}
/>
${Te("only_failed")}
</label>
<button class="button end" @click=${()=>this.loader.load()}>${Te("refresh")}</button>
</div>
${this.loader.show(e=>this.table(e))}`}table(e){return e.items.length?u`<div class="scroll" tabindex="0" role="region" aria-label=${Te("tab_turns")}>
<table>
<thead>
<tr>
${rr.map(e=>u`<th scope="col">${Te(e)}</th>`)}
<th scope="col" class="number">${Te("column_took")}</th>
<th scope="col" class="number">${Te("column_cost")}</th>
</tr>
</thead>
<tbody>
${e.items.map(e=>u`<tr>
<td class="whole"><a class="link" href="#/console/turns/${e.messageId}">${je(e.at)}</a></td>
<td>${We(e.user)}<br /><span class="muted">${st(e.door)}</span></td>
<td>${ct(e.status)}</td>
<td class="name tools">
${e.tools.length?e.tools.map((e,t)=>u`${t?", ":p}${pt(e)}`):"—"}
</td>
<td class="whole">${e.model===ut?"—":e.model}</td>
<td class="number">${Fe(e.totalMs)}</td>
<td class="number">${Le(e.costUsd)}</td>
</tr>`)}
</tbody>
</table>
</div>
${e.nextCursor?u`<button class="button" @click=${()=>this.more(e)}>${Te("show_more")}</button>`:p}`:gt(Te("no_turns"))}page(e){let t={limit:25,...this.onlyFailed?{success:!1}:{},...e?{cursor:e}:{}};return $(this.desk.api.rest.GET("/api/ai/turns",{params:{query:t}}))}async more(e){try{let t=await this.page(e.nextCursor);this.loader.value={...t,items:[...e.items,...t.items]},this.requestUpdate()}catch(e){this.desk.tell(Ae(e),!0)}}};or.styles=[M,dt,c`.whole{white-space:nowrap}.tools{font-size:var(--aisha-text-xs)}`],N([g({attribute:!1})],or.prototype,"desk",2),N([f()],or.prototype,"onlyFailed",2),or=N([x("desk-turns")],or);var lr=class extends m{constructor(){super(...arguments),this.theme="",this.days=30,this.loader=new jn(this,()=>$(this.desk.api.rest.GET("/api/ai/usage",{params:{query:{days:this.days}}})))}render(){return u`<div class="head">
<label class="row">
<span class="muted">${Te("column_time")}</span>
<select @change=${this.choose}>
${[7,30,90].map(e=>u`<option value=${e} ?selected=${e===this.days}>
${Te("last_days",{count:e})}
</option>`)}
</select>
</label>
</div>
${this.loader.show(e=>this.usage(e))}`}usage(e){let{budget:t}=e,s=t.budgetUsd?t.spentUsd/t.budgetUsd:0,a=this.desk.profile.admin?.limits,i=e.byDay.map(e=>Re(e.name));return u`<div class="grid">
<section class="card stack">
<h2>${Te("budget")}</h2>
<p>
<strong>${Le(t.spentUsd)}</strong>
${Te("budget_of",{budget:Le(t.budgetUsd),percent:Ne(s)})}
</p>
<progress
max=${t.budgetUsd||1}
value=${t.spentUsd}
data-state=${s<.75?"usual":"near"}
aria-label=${Te("budget_spent")}
></progress>
${a?u`<dl class="fields">
<dt>${Te("plan")}</dt>
<dd>${We(this.desk.profile.admin.plan)}</dd>
<dt>${Te("requests")}</dt>
<dd>
${Te("requests_limit",{user:Oe(a.userPerMinute),tenant:Oe(a.tenantPerHour)})}
</dd>
</dl>`:p}
<p class="muted">${Te("budget_hint")}</p>
</section>
<section class="card">
<h2>${Te("turns_by_day")}</h2>
${i.length?u`<desk-chart
caption=${Te("turns_by_day")}
.labels=${i}
.series=${[{name:Te("turns_answered"),values:e.byDay.map(e=>e.turns-e.failed)},{name:Te("column_failed"),values:e.byDay.map(e=>e.failed)}]}
.format=${Oe}
theme=${this.theme}
></desk-chart>`:u`<p class="muted">${Te("no_turns")}</p>`}
</section>
${this.table("user",e.byUser,We)} ${this.table("model",e.byModel,String)}
</div>
${e.truncated?u`<p class="muted">${Te("usage_cut",{count:Oe(2e3)})}</p>`:p}`}table(e,t,s){return u`<section class="card wide">
<h2>${Te(`by_${e}`)}</h2>
${t.length?this.rows(e,t,s):u`<p class="muted">${Te("no_turns")}</p>`}
</section>`}rows(e,t,s){return u`<div class="scroll" tabindex="0" role="region" aria-label=${Te(`by_${e}`)}>
<table>
<thead>
<tr>
<th scope="col">${Te(`column_${e}`)}</th>
<th scope="col" class="number">${Te("column_turns")}</th>
<th scope="col" class="number">${Te("column_failed")}</th>
<th scope="col" class="number">${Te("column_tokens")}</th>
<th scope="col" class="number">${Te("column_cost")}</th>
</tr>
</thead>
<tbody>
${t.map(e=>u`<tr>
<td class="name">${s(e.name)}</td>
<td class="number">${Oe(e.turns)}</td>
<td class="number">${Oe(e.failed)}</td>
<td class="number">${Oe(e.inputTokens+e.outputTokens)}</td>
<td class="number">${Le(e.costUsd)}</td>
</tr>`)}
</tbody>
</table>
</div>`}choose(e){this.days=Number(e.target.value),this.loader.load()}};lr.styles=[M,dt,c`.wide{grid-column:1 / -1}progress[data-state=near]::-webkit-progress-value{background:var(--aisha-warn)}progress[data-state=near]::-moz-progress-bar{background:var(--aisha-warn)}`],N([g({attribute:!1})],lr.prototype,"desk",2),N([g()],lr.prototype,"theme",2),N([f()],lr.prototype,"days",2),lr=N([x("desk-usage")],lr);var dr={"":"tab_usage",turns:"tab_turns",analytics:"tab_analytics",audit:"tab_audit",tools:"tab_tools",trust:"tab_roles",assistant:"tab_assistant",documents:"tab_documents",connections:"tab_connections",operations:"tab_health"},hr=class extends m{constructor(){super(...arguments),this.path="",this.theme=""}render(){let[e=""]=this.path.split("/");return u`<div class="head"><h1>${Te("console")}</h1></div>
<nav class="tabs head" aria-label=${Te("console")}>
${Object.entries(dr).map(([t,s])=>u`<a href="#/console${t?`/${t}`:""}" aria-current=${t===e?"page":p}
>${Te(s)}</a
>`)}
</nav>
${this.view()}`}view(){let{desk:e,theme:t}=this,[s="",a=""]=this.path.split("/");switch(s){case"turns":return a?u`<desk-turn .desk=${e} messageId=${a}></desk-turn>`:u`<desk-turns .desk=${e}></desk-turns>`;case"analytics":return u`<desk-analytics .desk=${e} theme=${t}></desk-analytics>`;case"audit":return u`<desk-audit .desk=${e}></desk-audit>`;case"tools":return u`<desk-tools .desk=${e}></desk-tools>`;case"trust":return u`<desk-trust .desk=${e}></desk-trust>`;case"assistant":return u`<desk-assistant-profile .desk=${e}></desk-assistant-profile>`;case"documents":return u`<desk-documents .desk=${e}></desk-documents>`;case"connections":return u`<desk-connections .desk=${e}></desk-connections>`;case"operations":return u`<desk-operations .desk=${e}></desk-operations>`;default:return u`<desk-usage .desk=${e} theme=${t}></desk-usage>`}}};hr.styles=[M,dt],N([g({attribute:!1})],hr.prototype,"desk",2),N([g()],hr.prototype,"path",2),N([g()],hr.prototype,"theme",2),hr=N([x("desk-console")],hr);var cr=["leadsOpen","leadsWithoutActivity","opportunitiesOpen","suggestionsPending","suggestionsAccepted"],ur=class extends m{constructor(){super(...arguments),this.theme="",this.nextStep=null,this.briefing=null,this.busy="",this.isWithoutStep=!1}firstUpdated(){let e=e=>this.desk.profile.modules.includes(e);e("opportunities")&&(this.deals=new kt(this,"opportunity",!0)),e("activities")&&(this.activities=new kt(this,"activity",!0)),e("goals")&&(this.goals=new kt(this,"goal",!0));for(let e of[this.deals,this.activities,this.goals])e?.load();this.brief(),this.recommend()}render(){let e=(new Date).getHours(),t=Te(e<12?"good_morning":e<18?"good_afternoon":"good_evening"),s=this.desk.profile.name?.split(" ")[0];return u`<div class="head"><h1>${t}${s?`, ${s}`:""}</h1></div>
<div class="figures">${this.figures()}</div>
<div class="grid">
${this.deals?this.pipeline(this.deals.items):p} ${this.next()}
${this.goals?this.goalList():p} ${this.changes()} ${this.briefed()}
</div>`}figures(){let e=(this.deals?.items??[]).filter(e=>Xe(e)),t=e.map(e=>({...e,amount:Number(e.amount??0)*Number(e.probability??0)/100})),s=(this.activities?.items??[]).filter(e=>"scheduled"===e.status).map(e=>Pe(e.due_at)).filter(e=>null!==e),a=s.filter(e=>e.getTime()<Date.now()).length,i=s.filter(e=>0===qe(e)&&e.getTime()>=Date.now()).length,n=(e,t,s)=>{return u`<div class="card figure">
<strong>${a=t,String(a).replace(/[\u00a0\u202f]/g," ")}</strong><a class="link" href=${s}>${e}</a>
</div>`;var a};return[...this.deals?[n(Te("open_pipeline"),this.deals.isLoading?"…":Ot(e),"#/opportunities"),n(Te("weighted"),this.deals.isLoading?"…":Ot(t),"#/opportunities"),n(Te("open_deals"),this.deals.isLoading?"…":e.length,"#/opportunities")]:[],...this.activities?[n(Te("still_due_today"),this.activities.isLoading?"…":i,"#/activities"),n(Te("overdue"),this.activities.isLoading?"…":a,"#/activities")]:[]]}pipeline(e){let t=e.filter(t=>Xe(t)&&(t.currency??"USD")===pr(e)),s=new Map;for(let e of t){let t=String(e.owner??"");s.set(t,(s.get(t)??0)+Number(e.amount??0))}let a=[...s].sort((e,t)=>t[1]-e[1]).map(([e])=>e),i=a.slice(0,4),n=Me(this.desk),r=n.filter(e=>"open"===e.outcome),o=(e,s)=>t.filter(t=>Je(t,"stage",n)===e&&s(String(t.owner??""))).reduce((e,t)=>e+Number(t.amount??0),0),l=i.map(e=>({name:""===e?Te("owner_nobody"):We(e),values:r.map(t=>o(t,t=>t===e))}));if(a.length>i.length){let e=e=>!i.includes(e);l.push({name:Te("owner_others"),values:r.map(t=>o(t,e))})}let d=pr(e),h=new Set(e.map(e=>e.currency??"USD")).size>1;return u`<section class="card">
<h2>
${Te("pipeline_title")}${h?u` <span class="muted">${Te("in_currency",{currency:d})}</span>`:p}
</h2>
${t.length?u`<desk-chart
caption=${Te("pipeline_caption")}
.labels=${r.map(at)}
.series=${l}
.format=${e=>De(e,d,!0)}
theme=${this.theme}
></desk-chart>`:this.deals.isLoading?vt():u`<p class="muted">${Te("no_open_deals")}</p>`}
</section>`}goalList(){let e=this.goals;return u`<section class="card">
<h2>${Te("kinds_goal")}</h2>
${e.items.length?u`<ul>
${e.items.map(e=>{let t=Number(e.progress??0);return u`<li>
<div class="row">
<strong>${e.display_name}</strong><span class="muted">${e.period??""}</span>
<span class="end">${t}%</span>
</div>
<progress max="100" value=${t} aria-label=${e.display_name}></progress>
</li>`})}
</ul>`:u`<p class="muted">${Te(e.isLoading?"loading":"no_goals")}</p>`}
</section>`}changes(){let e=this.desk.feed.recent.slice(0,6);return u`<section class="card">
<h2>${Te("latest_changes")}</h2>
${e.length?u`<ul>
${e.map(e=>u`<li>
${rt(e)}
<span class="muted">${Ie(e.at)}, ${Ue(e.at)}</span>
</li>`)}
</ul>`:u`<p class="muted">${Te("no_changes")}</p>`}
</section>`}next(){let e=this.nextStep,t=e?.scanType;return u`<section class="card stack">
<h2>${Te("next_step")}</h2>
${e?u`<p>${e.response||e.reason}</p>
${t?u`<div>
<button class="button primary" ?disabled=${""!==this.busy} @click=${()=>this.run(t)}>
${this.busy===t?Te("scanning"):Te("run_scan",{name:ze("scan_",t,We(t))})}
</button>
</div>`:p}
<dl class="fields">
${cr.map(t=>u`<dt>${Te(`stat_${t}`)}</dt>
<dd>${e.statistics[t]}</dd>`)}
</dl>`:this.isWithoutStep?u`<p class="muted">${Te("no_recommendation")}</p>`:vt()}
</section>`}briefed(){return u`<section class="card stack">
<h2>${Te("briefing")}</h2>
<p>${this.briefing?.text??"…"}</p>
</section>`}async brief(){let e={variant:"full",timeframeHours:24};try{this.briefing=await $(this.desk.api.rest.GET("/api/ai/scan-briefing",{params:{query:e}}))}catch(e){this.briefing={success:!1,text:Ae(e),data:null}}}async recommend(){try{this.nextStep=await $(this.desk.api.rest.POST("/api/ai/next-step",{body:{}}))}catch{this.isWithoutStep=!0}}async run(e){this.busy=e;try{await this.desk.api.rest.POST("/api/ai/scans",{params:{header:{"Idempotency-Key":k()}},body:{scanType:e}}),await Promise.all([this.brief(),this.recommend()]),this.desk.tell(Te("scan_done"))}catch(e){this.desk.tell(Ae(e),!0)}this.busy=""}};function pr(e){let t=new Map;for(let s of e){let e=String(s.currency??"USD");t.set(e,(t.get(e)??0)+1)}return[...t].sort((e,t)=>t[1]-e[1])[0]?.[0]??"USD"}ur.styles=[M,dt,c`.figures{display:grid;gap:var(--aisha-3);grid-template-columns:repeat(auto-fit,minmax(140px,1fr));margin-block-end:var(--aisha-4)}.figure strong{display:block;font-size:22px;letter-spacing:-.02em;font-variant-numeric:tabular-nums;line-height:1.25;overflow-wrap:anywhere}@media(min-width:1101px){.figures{grid-template-columns:repeat(auto-fit,minmax(104px,1fr))}}.grid{grid-template-columns:repeat(auto-fit,minmax(min(100%,360px),1fr))}.grid>:last-child{grid-column:1 / -1}ul{display:grid;gap:var(--aisha-3);margin:0;padding:0;list-style:none}li{overflow-wrap:anywhere}`],N([g({attribute:!1})],ur.prototype,"desk",2),N([g()],ur.prototype,"theme",2),N([f()],ur.prototype,"nextStep",2),N([f()],ur.prototype,"briefing",2),N([f()],ur.prototype,"busy",2),N([f()],ur.prototype,"isWithoutStep",2),ur=N([x("desk-dashboard")],ur);var mr=new Set(["id","entity_type","display_name","version","custom","first_name","last_name","name"]),gr=["created_at","updated_at"],fr=class extends m{constructor(){super(...arguments),this.recordId="",this.record=null,this.error="",this.take=e=>{let t=e.detail.findLast(e=>e.entity.id===this.recordId);t&&(t.record?(this.record=t.record,this.error=""):this.error=Te("was_deleted",{name:t.entity.name,who:t.isOwn?Te("you"):t.user}))}}disconnectedCallback(){super.disconnectedCallback(),this.desk.feed.removeEventListener("changes",this.take)}willUpdate(e){e.has("recordId")&&this.load()}render(){if(this.error)return ft(this.error,()=>this.load());let e=this.record;if(!e)return vt();let t=this.desk.feed.markOf(e.id);return u`<div class="head">
<a class="link" href="#/${this.kind.page}">${He(this.kind,this.desk.profile.labels,!0)}</a>
<span class="muted" aria-hidden="true">/</span>
<h1 dir="auto">${e.display_name}</h1>
${["stage","status","health"].filter(t=>e[t]).slice(0,1).map(t=>mt(e,t))}
${t?u`<span class="badge accent">${rt(t)}</span>`:p}
</div>
<div class="row asks">${this.asks(e)}</div>
<div class="columns">
<section class="card ${t?"marked":""}">
<h2>${Te("details")}</h2>
<dl class="fields">
${this.fields(e).map(t=>u`<dt>${Qe(t)}</dt>
<dd dir="auto">${this.value(e,t)}</dd>`)}
${Ke(e).map(t=>u`<dt dir="auto">${We(t)}</dt>
<dd dir="auto">${Ze(e,t)}</dd>`)}
</dl>
</section>
${"note"===this.kind.type||"activity"===this.kind.type?p:u`<div class="stack">
<section class="card">
<h2>${Te("kinds_activity")}</h2>
${this.related(this.activities,Te("no_activities"))}
</section>
<section class="card">
<h2>${Te("kinds_note")}</h2>
${this.related(this.notes,Te("no_notes"))}
</section>
</div>`}
</div>`}fields(e){return[...Object.keys(e).filter(e=>!gr.includes(e)),...gr].filter(t=>{let s=e[t]??"",a=null===s||""===s||Array.isArray(s)&&!s.length;return!(mr.has(t)||a||t.endsWith("_id")||t.startsWith("do_not"))})}value(e,t){let s=e[t];if("related"===t&&s?.id){let e=Ge(s.type??"")?.page;return e?u`<a class="link" href="#/${e}/${s.id}">${s.name}</a>`:s.name}return it(e,t)}asks(e){let t=((e,t)=>{let s=t.display_name;switch(this.kind.type){case"activity":return"scheduled"===t.status?[{label:Te("ask_complete"),text:`Mark the activity “${s}” as completed`}]:[];case"lead":case"contact":case"account":case"opportunity":return[{label:Te("ask_next"),text:`What should I do next with ${s}?`},{label:Te("ask_summary"),text:`Give me a summary of ${s}`},{label:Te("ask_call"),text:`Schedule a call with ${s} tomorrow at 10`}];default:return[]}})(0,e).map(({label:e,text:t})=>u`<button class="button" title=${t} @click=${()=>this.desk.ask(t)}>${e}</button>`);if("opportunity"!==this.kind.type)return t;let s=Me(this.desk),a=Je(e,"stage",s);return[u`<label class="row">
<span class="muted">${Te("move_to")}</span>
<select
.value=${a?.key??""}
@change=${t=>this.move(t.target,e)}
>
${a?p:u`<option value="" selected>${it(e,"stage")}</option>`}
${s.map(e=>u`<option value=${e.key} ?selected=${e===a}>${at(e)}</option>`)}
</select>
</label>`,...t]}move(e,t){let s=Me(this.desk),a=s.find(t=>t.key===e.value);a&&this.desk.ask(xt(a.label,t)),e.value=Je(t,"stage",s)?.key??""}related(e,t){return!e||e.isLoading?u`<p class="muted">${Te("loading")}</p>`:e.error?u`<p class="error">${e.error}</p>`:e.items.length?u`<ul>
${e.items.map(e=>u`<li class=${this.desk.feed.markOf(e.id)?"marked":""}>
<div dir="auto">${e.content??e.display_name}</div>
<span class="muted">
${je(e.due_at?e.due_at:e.created_at)}
${e.owner?`· ${We(String(e.owner))}`:p}
</span>
${mt(e,e.status?"status":"note_type")}
</li>`)}
</ul>`:u`<p class="muted">${t}</p>`}async load(){this.record=null,this.error="",this.desk.feed.addEventListener("changes",this.take);let e=this.recordId;try{let t={type:this.kind.type,id:e},s=await $(this.desk.api.rest.GET("/api/crm/{type}/{id}",{params:{path:t}}));if(e!==this.recordId)return;this.record=s}catch(t){return void(e===this.recordId&&(this.error=Ae(t)))}"note"===this.kind.type||"activity"===this.kind.type||(this.activities??=new kt(this,"activity"),this.notes??=new kt(this,"note"),this.activities.load({related_id:e}),this.notes.load({related_id:e}))}};function vr(e,t){return u`<ul>
${e.map(({id:e,text:s,about:a})=>u`<li>
<span dir="auto">${s}${a?u` <span class="muted">${a}</span>`:p}</span>
<button class="button" aria-label=${Te("delete_one",{text:s})} @click=${()=>t(e)}>
${Te("delete")}
</button>
</li>`)}
</ul>`}fr.styles=[M,dt,c`.columns{display:grid;gap:var(--aisha-4);grid-template-columns:repeat(auto-fit,minmax(min(100%,300px),1fr));align-items:start}ul{display:grid;gap:var(--aisha-3);margin:0;padding:0;list-style:none}li{overflow-wrap:anywhere}.asks{margin-block-end:var(--aisha-4)}.stack{display:grid;gap:var(--aisha-4)}`],N([g({attribute:!1})],fr.prototype,"desk",2),N([g({attribute:!1})],fr.prototype,"kind",2),N([g()],fr.prototype,"recordId",2),N([f()],fr.prototype,"record",2),N([f()],fr.prototype,"error",2),fr=N([x("desk-record")],fr);var yr=class extends m{constructor(){super(...arguments),this.loaded=null,this.error="",this.secret="",this.changes=0,this.add=async e=>{e.preventDefault();let t=e.target,s=String(new FormData(t).get("text")??"").trim();s&&await this.try(()=>this.desk.api.rest.POST("/api/ai/instructions",{body:{text:s}}))&&t.reset()}}firstUpdated(){this.load()}render(){if(this.error)return ft(this.error,()=>this.load());let e=this.loaded;return e?u`<div class="head"><h1>${Te("settings")}</h1></div>
<div class="grid">
<section class="card">
<h2 id="mode">${Te("how_it_answers")}</h2>
<fieldset aria-labelledby="mode">
${Object.entries(e.modes).map(([t,s])=>u`<label>
<input
type="radio"
name="mode"
.checked=${t===e.mode}
@change=${()=>this.setMode(t)}
/>
<strong>${ze("mode_",t,We(t))}</strong
><span class="muted">${ze("mode_",`${t}_text`,s)}</span>
</label>`)}
</fieldset>
</section>
<section class="card">${this.instructions(e)}</section>
<section class="card stack">${this.notifications(e.settings)}</section>
<section class="card">
<h2>${Te("due_and_coming")}</h2>
${e.coming.length?u`<ul>
${e.coming.map(e=>u`<li>
<span>${e.title}</span><span class="muted">${e.dueAt?je(e.dueAt):""}</span>
</li>`)}
</ul>`:u`<p class="muted">${Te("nothing_coming")}</p>`}
</section>
<section class="card">
<h2>${Te("memories")}</h2>
${e.memories.length?vr(e.memories.map(e=>({...e,about:Re(e.updatedAt)})),e=>this.forget("/api/ai/memories/{id}",e)):u`<p class="muted">${Te("memories_hint")}</p>`}
</section>
<section class="card">
<h2>${Te("sticky_notes")}</h2>
${e.notes.length?vr(e.notes.map(e=>({...e,about:e.dueAt?je(e.dueAt):""})),e=>this.forget("/api/ai/sticky-notes/{id}",e)):u`<p class="muted">${Te("sticky_hint")}</p>`}
</section>
<section class="card stack">
<h2>${Te("language")}</h2>
<label class="field"
><span class="muted">${Te("language_hint")}</span>
<select @change=${e=>(pe($e,e.target.value||null),void location.reload())}>
${Object.entries({"":Te("language_browser"),..._e}).map(([e,t])=>u`<option value=${e} ?selected=${e===Se()}>${t}</option>`)}
</select>
</label>
</section>
</div>`:vt()}instructions(e){return u`<h2>${Te("standing_instructions")}</h2>
${e.instructions.length?vr(e.instructions,e=>this.forget("/api/ai/instructions/{id}",e)):u`<p class="muted">${Te("instruction_hint")}</p>
<br />`}
<form @submit=${this.add}>
<input
name="text"
required
maxlength=${300}
aria-label=${Te("new_instruction")}
placeholder=${Te("new_instruction")}
/>
<button class="button primary">${Te("add")}</button>
</form>`}notifications(e){let t=e=>{this.save(e)};return u`<h2>${Te("notifications")}</h2>
<label class="field"
>${Te("also_sent_by")}
<select
.value=${e.channel}
@change=${e=>t({channel:e.target.value})}
>
<option value="in_app" ?selected=${"in_app"===e.channel}>${Te("in_app")}</option>
<option value="email" ?selected=${"email"===e.channel}>${Te("email")}</option>
<option value="webhook" ?selected=${"webhook"===e.channel}>${Te("webhook")}</option>
</select>
</label>
${"webhook"===e.channel?u`<label class="field"
>${Te("webhook_url")}
<input
type="url"
required
maxlength="500"
placeholder="https://"
.value=${e.webhookUrl??""}
@change=${e=>t({webhookUrl:e.target.value.trim()})}
/>
${this.secret?u`<span class="muted">${Te("signing_hint")} <code>${this.secret}</code></span>`:p}
</label>`:p}
<label class="row">
<input
type="checkbox"
.checked=${e.digest??!1}
@change=${e=>t({digest:e.target.checked})}
/>
${Te("digest")}
</label>
<label class="field"
>${Te("digest_at")}
<select
.value=${String(e.digestHour)}
?disabled=${!e.digest}
@change=${e=>t({digestHour:Number(e.target.value)})}
>
${Array.from({length:24},(t,s)=>{let a=`${String(s).padStart(2,"0")}:00`;return u`<option value=${s} ?selected=${s===e.digestHour}>${a}</option>`})}
</select>
<span class="muted">${e.zone??p}</span>
</label>`}async load(){this.error="";let{rest:e}=this.desk.api,{changes:t}=this;try{let[s,a,i,n,r,o,l]=await Promise.all([$(e.GET("/api/ai/mode")),$(e.GET("/api/ai/models")),$(e.GET("/api/ai/instructions")),$(e.GET("/api/ai/memories")),$(e.GET("/api/ai/sticky-notes")),$(e.GET("/api/ai/notifications/settings")),$(e.GET("/api/ai/notifications",{params:{query:{includeComing:!0}}}))]);if(t!==this.changes)return;this.loaded={mode:s.mode,modes:a.modes,instructions:i.items,memories:n.items,notes:r.items,settings:o,coming:l.notifications}}catch(e){this.error=Ae(e)}}async setMode(e){await this.try(()=>this.desk.api.rest.POST("/api/ai/mode/{mode}",{params:{path:{mode:e}}}))}async forget(e,t){await this.try(()=>this.desk.api.rest.DELETE(e,{params:{path:{id:t}}}),Te("deleted"))}async save(e){let t={...this.loaded.settings,...e};this.loaded={...this.loaded,settings:t};let{channel:s,digest:a,digestHour:i,webhookUrl:n}=t;if("webhook"===s&&!n)return void(this.changes+=1);let r={channel:s,digest:a,digestHour:i,...n?{webhookUrl:n}:{}};await this.try(async()=>{let e=await $(this.desk.api.rest.POST("/api/ai/notifications/settings",{body:r}));this.secret=e.webhookSecret??this.secret})}async try(e,t=Te("saved")){this.changes+=1;try{return await e(),this.desk.tell(t),!0}catch(e){return this.desk.tell(Ae(e),!0),!1}finally{await this.load()}}};yr.styles=[M,dt,c`ul{display:grid;gap:var(--aisha-2);margin:0 0 var(--aisha-3);padding:0;list-style:none}li{display:flex;align-items:center;justify-content:space-between;gap:var(--aisha-3);overflow-wrap:anywhere}fieldset{display:grid;gap:var(--aisha-3);border:0;margin:0;padding:0}fieldset label{display:grid;grid-template-columns:auto 1fr;gap:2px var(--aisha-2);align-items:center}fieldset .muted{grid-column:2}input[type=radio],input[type=checkbox]{min-block-size:0;inline-size:18px;block-size:18px;accent-color:var(--aisha-accent-fill)}form{display:flex;gap:var(--aisha-2)}form input{flex:1;min-inline-size:0}`],N([g({attribute:!1})],yr.prototype,"desk",2),N([f()],yr.prototype,"loaded",2),N([f()],yr.prototype,"error",2),N([f()],yr.prototype,"secret",2),yr=N([x("desk-settings")],yr);var br={title:"field_owner",cell:e=>e.owner?We(String(e.owner)):"—"},wr={title:"field_last_contacted_at",cell:e=>Ie(e.last_contacted_at)},$r={title:"field_company",cell:e=>e.company??"—"},kr={lead:[$r,{title:"field_status",cell:e=>mt(e,"status")},{title:"field_score",cell:e=>e.score??"—",isNumber:!0},{title:"field_value",cell:e=>De(e.estimated_value??NaN),isNumber:!0},wr,br],contact:[$r,{title:"field_job_title",cell:e=>e.job_title??"—"},{title:"field_email",cell:e=>e.email??"—"},wr,br],account:[{title:"field_industry",cell:e=>e.industry??"—"},{title:"field_type",cell:e=>mt(e,"type")},{title:"field_health",cell:e=>mt(e,"health")},{title:"field_annual_revenue",cell:e=>De(e.annual_revenue??NaN,"USD",!0),isNumber:!0},br],note:[{title:"column_about",cell:e=>e.related?.name??"—"},{title:"field_note_type",cell:e=>mt(e,"note_type")},{title:"column_written",cell:e=>Ie(e.created_at)},br]},_r={lead:"status",account:"health"},xr=class extends m{constructor(){super(...arguments),this.search="",this.status=""}willUpdate(e){e.has("kind")&&(this.list?.hostDisconnected(),this.list=new kt(this,this.kind.type),[this.search,this.status]=["",""],this.list.load())}render(){let e=this.list,t=He(this.kind,this.desk.profile.labels,!0);return u`<div class="head">
<h1>${t}</h1>
<span class="muted">${e.total??""}</span>
<search class="row end">
${this.statuses()}
<input
type="search"
placeholder=${Te("search_by_name")}
aria-label=${Te("search_in",{kinds:lt(t)})}
.value=${this.search}
@input=${e=>this.find(e.target.value)}
/>
</search>
</div>
${this.content(e,t)}`}content(e,t){if(e.error)return ft(e.error,()=>this.load());if(e.isLoading&&!e.items.length)return vt();if(!e.items.length)return gt(this.search||this.status?Te("nothing_fits"):Te("none_yet",{kinds:lt(t)}));let s=kr[this.kind.type]??[br];return u`<div class="scroll" tabindex="0" role="region" aria-label=${t}>
<table>
<thead>
<tr>
<th scope="col">${Te("note"===this.kind.type?"kind_note":"column_name")}</th>
${s.map(e=>u`<th scope="col" class=${e.isNumber?"number":""}>${Te(e.title)}</th>`)}
</tr>
</thead>
<tbody>
${e.items.map(e=>this.row(e,s))}
</tbody>
</table>
</div>
${e.next?u`<button class="button more" ?disabled=${e.isLoading} @click=${()=>e.more()}>
${Te("show_more")}
</button>`:p}`}row(e,t){let s=this.desk.feed.markOf(e.id);return u`<tr class=${s?"marked":""}>
<td class="name">
<a class="link" dir="auto" href="#/${this.kind.page}/${e.id}">${(e=>{let{display_name:t,content:s}=e;return"string"==typeof s&&s.length>t.length&&s.startsWith(t)?`${t}…`:t})(e)}</a>
${s?u` <span class="badge accent">${ot(s)}</span>`:p}
</td>
${t.map(t=>u`<td class=${t.isNumber?"number":""} dir="auto">${t.cell(e)}</td>`)}
</tr>`}statuses(){let e=_r[this.kind.type],t=e&&this.desk.profile.values[`${this.kind.type}.${e}`]||[];return e&&t.length?u`<select
aria-label=${Te(`field_${e}`)}
.value=${this.status}
@change=${e=>{this.status=e.target.value,this.load()}}
>
<option value="">${Te(`any_${e}`)}</option>
${t.map(e=>u`<option value=${e.key} ?selected=${e.key===this.status}>${at(e)}</option>`)}
</select>`:p}find(e){this.search=e,clearTimeout(this.timer),this.timer=setTimeout(()=>{this.load()},250)}load(){return this.list.load({...this.search.trim()?{name_contains:this.search.trim()}:{},...this.status?{status:this.status}:{}})}};xr.styles=[M,dt,c`.more{margin-block-start:var(--aisha-4)}`],N([g({attribute:!1})],xr.prototype,"desk",2),N([g({attribute:!1})],xr.prototype,"kind",2),N([f()],xr.prototype,"search",2),N([f()],xr.prototype,"status",2),xr=N([x("desk-table")],xr);var Sr={dashboard:"",pipeline:"opportunities",goals:"",documents:"console/documents"},Tr=["alice","bob"],zr="desk.user",Er=matchMedia("(max-width: 1100px)"),Cr=()=>Er.matches,Mr="desk.theme",Ar=class extends m{constructor(){super(...arguments),this.api="",this.token=null,this.desk=null,this.error="",this.path="",this.user=ue(zr)??Tr[0],this.theme=ue(Mr)??"midnight",this.told=null,this.texts=(async()=>{xe=await L(Se()||navigator.language,ke,we),document.documentElement.lang=xe.language,document.documentElement.dir=xe.direction})(),this.source=e=>this.token?this.token(e):(async(e,t)=>{let s=await fetch(`${e}/local/token?user=${encodeURIComponent(t)}&tenant=demo`);if(!s.ok)throw new Error("Nobody is signed in. Start the local server with `make run`.");return(await s.json()).token})(this.api,this.user),this.follow=()=>{let e=(e=>{try{return decodeURIComponent(e)}catch{return e}})(location.hash.replace(/^#\/?/,""));e!==this.path&&(this.path=e,this.main?.scrollTo(0,0))},this.navigate=e=>{let t=(({page:e,record:t})=>{let s=t?Ge(t.type):void 0;return t&&s?`${s.page}/${t.id}`:e?Sr[e]??e:null})(e.detail);null!==t&&this.go(t)}}connectedCallback(){super.connectedCallback(),addEventListener("hashchange",this.follow),this.follow(),this.start()}disconnectedCallback(){super.disconnectedCallback(),removeEventListener("hashchange",this.follow),this.desk?.feed.stop()}async scheduleUpdate(){await this.texts,super.scheduleUpdate()}willUpdate(e){e.has("theme")&&(this.dataset.theme=this.theme),this.dir=Ce(),document.title=`${((e,t)=>{let[s=""]=e.split("/"),a=Ye(s);return a?He(a,t,!0):Te("calendar"===s||"console"===s||"settings"===s?s:"overview")})(this.path,this.desk?.profile.labels??{})} · ${this.deskName}`}updated(e){!Cr()||!e.has("path")&&!e.has("desk")||this.renderRoot.querySelector("nav.pages [aria-current]")?.scrollIntoView({block:"nearest",inline:"center"})}render(){return u`${this.told?u`<p class="told ${this.told.isError?"error":""}" role="alert">${this.told.text}</p>`:p}
<header class="top">
<a class="skip" href="#/${this.path}" @click=${this.skip}>${Te("skip")}</a>
<strong>${this.deskName}</strong>
${this.desk?.feed.isLost?u`<span class="lost" role="status">${Te("lost")}</span>`:p}
<span class="end"></span>
${this.desk?u`<desk-bell .desk=${this.desk}></desk-bell>`:p}
${this.isLocal?(e=this.user,u`<label class="row">
<span class="muted user">${Te("signed_in_as")}</span>
<select .value=${e} @change=${e=>(e=>{pe(zr,e),location.reload()})(e.target.value)}>
${Tr.map(t=>u`<option value=${t} ?selected=${t===e}>${We(t)}</option>`)}
</select>
</label>`):p}
<button class="button" @click=${()=>this.setTheme("light"===this.theme?"midnight":"light")}>
${Te("light"===this.theme?"theme_dark":"theme_light")}
</button>
</header>
${this.navigation()}
<main id="content" tabindex="-1">
${this.error?ft(this.error,()=>this.start()):this.desk?((e,t,s)=>{let[a="",i=""]=t.split("/"),n=Ye(a);return"calendar"===a?u`<desk-activities .desk=${e} view="calendar"></desk-activities>`:"settings"===a?u`<desk-settings .desk=${e}></desk-settings>`:"console"===a&&e.profile.isAdmin?u`<desk-console .desk=${e} path=${t.slice(8)} theme=${s}></desk-console>`:n?i?u`<desk-record .desk=${e} .kind=${n} recordId=${i}></desk-record>`:"opportunity"===n.type?u`<desk-board .desk=${e}></desk-board>`:"activity"===n.type?u`<desk-activities .desk=${e} view="list"></desk-activities>`:u`<desk-table .desk=${e} .kind=${n}></desk-table>`:u`<desk-dashboard .desk=${e} theme=${s}></desk-dashboard>`})(this.desk,this.path,this.theme):vt()}
</main>
${this.side()} ${this.desk?u`<desk-changes .desk=${this.desk}></desk-changes>`:p}`;var e}side(){let[e="",t=""]=this.path.split("/"),s=t?Ye(e):void 0;return u`<aisha-assistant
.token=${this.source}
api=${this.api}
locale=${Ee()}
theme=${this.theme}
name=${this.desk?.profile.assistantName??""}
?minimised=${Cr()}
page=${e||"dashboard"}
record-type=${s?.type??""}
record-id=${s?t:""}
@recordchanged=${()=>this.desk?.feed.poke()}
@navigate=${this.navigate}
></aisha-assistant>`}navigation(){let e=this.desk?.profile,[t=""]=this.path.split("/"),s=(e,s)=>u`<a href="#/${e}" aria-current=${e===t||"activities"===e&&"calendar"===t?"page":p}>${s}</a>`;return u`<nav class="pages" aria-label=${Te("pages")}>
${s("",Te("overview"))}
${Be.filter(t=>e?.modules.includes(t.module)).map(t=>s(t.page,He(t,e?.labels??{},!0)))}
<hr />
${s("settings",Te("settings"))} ${e?.isAdmin?s("console",Te("console")):p}
</nav>`}get deskName(){return Te("desk_name",{name:this.desk?.profile.assistantName??"AiSHA"})}get isLocal(){return null===this.token&&["localhost","127.0.0.1","[::1]"].includes(location.hostname)}async start(){this.error="",this.client??=w({api:this.api,token:this.source,door:"widget"});let e,t=this.client;try{e=await $(t.rest.GET("/api/ai/profile"))}catch(e){return void(this.error=Ae(e))}let s=new $t(t);s.addEventListener("state",()=>this.requestUpdate()),this.desk={api:t,feed:s,profile:e,tell:(e,t=!1)=>this.tell(e,t),ask:e=>this.assistant?.ask(e),takenBack:e=>this.assistant?.takenBack(e),go:e=>this.go(e)},s.start()}go(e){location.hash=`#/${e}`}skip(e){e.preventDefault(),this.main?.focus()}setTheme(e){this.theme=e,pe(Mr,e)}tell(e,t){this.told={text:e,isError:t},clearTimeout(this.timer),this.timer=setTimeout(()=>this.told=null,6e3)}};Ar.styles=[C,M,dt,c`:host{display:grid;grid-template:auto minmax(0,1fr) / 208px minmax(0,1fr) auto;block-size:100dvh;overflow:hidden;background:var(--aisha-bg);font-family:var(--aisha-font);line-height:1.45}.skip{position:absolute;inset-inline-start:var(--aisha-2);inset-block-start:-60px;z-index:10;background:var(--aisha-raised);padding:var(--aisha-3)}.skip:focus{inset-block-start:var(--aisha-2)}.top{grid-area:1 / 1 / 2 / 3;display:flex;align-items:center;gap:var(--aisha-3);padding:var(--aisha-2) var(--aisha-4);border-block-end:1px solid var(--aisha-line)}.top strong{font-size:var(--aisha-text-m);white-space:nowrap}.top .end{margin-inline-start:auto}nav.pages{grid-area:2 / 1;display:flex;flex-direction:column;gap:2px;padding:var(--aisha-3) var(--aisha-2);border-inline-end:1px solid var(--aisha-line);overflow-y:auto}nav.pages a{padding:9px 12px;border-radius:var(--aisha-radius-s);color:var(--aisha-muted);font-weight:600;text-decoration:none;white-space:nowrap}nav.pages a:hover{background:var(--aisha-hover);color:var(--aisha-ink)}nav.pages a[aria-current=page]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}nav.pages hr{inline-size:100%;border:0;border-block-start:1px solid var(--aisha-line)}main{grid-area:2 / 2;overflow-y:auto;padding:var(--aisha-5);min-inline-size:0}aisha-assistant{grid-area:1 / 3 / 3 / 4;inline-size:400px}aisha-assistant::part(panel){box-shadow:none}aisha-assistant[minimised]{inline-size:0}.told{position:fixed;inset-block-start:var(--aisha-4);inset-inline:0;inline-size:fit-content;margin-inline:auto;z-index:6;max-inline-size:min(520px,calc(100vw - 32px));padding:var(--aisha-3) var(--aisha-4);background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius);box-shadow:var(--aisha-shadow)}@media(max-width:600px){.user{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%)}}.lost{color:var(--aisha-warn)}@media(max-width:1100px){:host{grid-template:auto auto minmax(0,1fr) / minmax(0,1fr)}.top{grid-area:1 / 1}main{grid-area:3 / 1}nav.pages{grid-area:2 / 1;flex-direction:row;padding:var(--aisha-1) var(--aisha-2);border-inline-end:0;border-block-end:1px solid var(--aisha-line);overflow-x:auto}nav.pages hr{display:none}main{padding:var(--aisha-4);padding-block-end:96px}.top{gap:var(--aisha-2)}aisha-assistant{grid-area:3 / 1;inline-size:0;block-size:0}}`],N([g()],Ar.prototype,"api",2),N([g({attribute:!1})],Ar.prototype,"token",2),N([f()],Ar.prototype,"desk",2),N([f()],Ar.prototype,"error",2),N([f()],Ar.prototype,"path",2),N([f()],Ar.prototype,"theme",2),N([f()],Ar.prototype,"told",2),N([v("aisha-assistant")],Ar.prototype,"assistant",2),N([v("main")],Ar.prototype,"main",2),Ar=N([x("aisha-desk")],Ar);